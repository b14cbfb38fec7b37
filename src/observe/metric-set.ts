/** The metrics of one subject, in one registry, in the exposition format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Exposed {
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

export class MetricSet implements Exposed {
  readonly #registry = new Registry();

  counter<L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  gauge<L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  /** A histogram of seconds; `buckets` are its upper bounds. */
  histogram<L extends string>(
    [name, help]: readonly [string, string],
    buckets: number[],
    ...labelNames: L[]
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] });
  }

  /**
   * A metric whose values `read` sets at each scrape, so that they are correct in every replica and after a restart.
   */
  scraped<L extends string>(metric: Counter<L> | Gauge<L>, read: () => void): void {
    Object.assign(metric, {
      collect: () => {
        metric.reset();
        read();
      },
    });
  }

  readonly expose: Exposed['expose'] = async () => ({
    type: this.#registry.contentType,
    text: await this.#registry.metrics(),
  });
}
