// A mistake in a typed expression: what, where ([begin, end) in characters), how to mend it.
export class EquationError extends Error {
  constructor(
    readonly begin: number,
    readonly end: number,
    message: string,
    readonly help: string,
  ) {
    super(message);
  }
}

/** A mean that was not computed: whoever can compute it may do so and try again. */
export class UnknownMean extends EquationError {}
