// Looks again and again how the training of the run goes on; another process may be at it.
import type { Packed } from "../report";
import type { Connection } from "./connection";

export interface Progress {
  epoch: number;
  epochs: number;
  seed: number;
  /** Where they were asked for. */
  curves?: Record<string, Packed>;
}

export interface TrainingNews extends Progress {
  is_running: boolean;
  /** The folder holds another model by now, or other data. */
  is_replaced: boolean;
  /** Grows whenever the server answers with other weights than before. */
  generation: number;
  /** Of the networks that there are. */
  seeds: number[];
  /** What the weights are those of, while the training is not over. */
  epochs_so_far: number | null;
  /** Trainings with other seeds that run at this moment. */
  others: Progress[];
}

const soon = 1000;
const later = 4000;

export class TrainingWatch {
  private timer = 0;
  private isAsking = false;

  constructor(
    private readonly connection: Connection,
    private readonly wantsCurves: () => boolean,
    private readonly onNews: (news: TrainingNews) => void,
  ) {
    document.addEventListener("visibilitychange", () => void this.look());
  }

  async look(): Promise<void> {
    if (this.isAsking) return;
    window.clearTimeout(this.timer);
    let isRunning = false;
    if (!document.hidden) {
      this.isAsking = true;
      try {
        const news = await this.connection.ask<TrainingNews>("training", { curves: this.wantsCurves() });
        isRunning = news.is_running || news.others.length > 0;
        this.onNews(news);
      } catch {
        // Without a server the status says so; a file that is being written is read the next time.
      }
      this.isAsking = false;
    }
    this.timer = window.setTimeout(() => void this.look(), isRunning ? soon : later);
  }
}

/** What the head of the page says about it; nothing once all is done. */
export function progressText({ is_running, is_replaced, ...news }: TrainingNews): string {
  if (is_replaced)
    return "The folder holds another run by now; this page shows the one before. Start `greybox explore` again.";
  const said = news.others.map(
    ({ seed, epoch, epochs }) => `Training seed ${seed}: epoch ${epoch} of ${epochs}.`,
  );
  if (news.epochs_so_far === null) return said.join(" ");
  const where = `epoch ${news.epoch} of ${news.epochs}`;
  const begin = is_running ? `Training: ${where}.` : `The training stands still at ${where}.`;
  return [begin, `Shown is the network after ${news.epochs_so_far}.`, ...said].join(" ");
}
