// Questions to the server: the newest of a kind counts, and a server that is gone is noticed.

/** What the server says when a question makes no sense. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly help: string,
    readonly text: string,
  ) {
    super(message);
  }
}

const patience = 2000;

function clientName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Connection {
  private readonly client = clientName();
  private sequence = 0;
  private isConnected = true;
  private readonly streams = new Map<string, AbortController>();

  constructor(
    private readonly path: string,
    private readonly onStatus: (isConnected: boolean) => void,
  ) {}

  /** A newer question of the same name and channel supersedes it. Throws Refusal, and TypeError when there is no server. */
  async ask<T>(name: string, question: object, channel = ""): Promise<T> {
    const response = await this.post(name, { ...question, client: this.client + channel });
    const answer = (await response.json()) as T & { error?: string; help?: string; text?: string };
    if (answer.error !== undefined) throw new Refusal(answer.error, answer.help ?? "", answer.text ?? "");
    return answer;
  }

  /** One answer in lines; a newer question of the same name ends it. */
  async stream<T>(name: string, question: object, onLine: (line: T) => void): Promise<void> {
    this.streams.get(name)?.abort();
    const controller = new AbortController();
    this.streams.set(name, controller);
    try {
      const response = await this.post(name, question, controller.signal);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split("\n");
        rest = lines.pop()!;
        for (const line of lines) if (!controller.signal.aborted) this.hear(line, onLine);
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      if (this.streams.get(name) === controller) this.streams.delete(name);
    }
  }

  cancel(name: string): void {
    this.streams.get(name)?.abort();
    this.streams.delete(name);
  }

  private hear<T>(text: string, onLine: (line: T) => void): void {
    const line = JSON.parse(text) as T & { error?: string; help?: string; text?: string };
    if (line.error !== undefined) throw new Refusal(line.error, line.help ?? "", line.text ?? "");
    onLine(line);
  }

  private async post(name: string, question: object, signal?: AbortSignal): Promise<Response> {
    this.sequence += 1;
    const body = JSON.stringify({ client: this.client, sequence: this.sequence, ...question });
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body, signal };
    try {
      const response = await fetch(this.path + name, options);
      // Another explorer at the same port has another secret.
      if (response.status === 403) throw new TypeError("another server");
      this.tell(true);
      return response;
    } catch (error) {
      if (!signal?.aborted) this.lost();
      throw error;
    }
  }

  private lost(): void {
    if (this.isConnected) this.wait();
    this.tell(false);
  }

  private wait(): void {
    setTimeout(async () => {
      try {
        const { ok } = await fetch(this.path, { method: "HEAD" });
        if (!ok) throw new TypeError("another server");
        this.tell(true);
      } catch {
        this.wait();
      }
    }, patience);
  }

  private tell(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    this.onStatus(isConnected);
  }
}

/** Asks again and again, one question at a time: what came meanwhile is asked once the answer is there. */
export class Latest<Question> {
  private next: Question | null = null;
  private isBusy = false;

  constructor(private readonly ask: (question: Question) => Promise<void>) {}

  get isIdle(): boolean {
    return !this.isBusy && this.next === null;
  }

  put(question: Question): void {
    this.next = question;
    if (!this.isBusy) void this.work();
  }

  drop(): void {
    this.next = null;
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    while (this.next !== null) {
      const question = this.next;
      this.next = null;
      try {
        await this.ask(question);
      } catch (error) {
        // Without a server the status says so; everything else is told where it belongs.
        if (!(error instanceof TypeError) && !(error instanceof Refusal)) console.error(error);
      }
    }
    this.isBusy = false;
  }
}
