/** Writes to VolumeSnapshotContents and VolumeGroupSnapshotContents: the mark, the result and the failure of a cut. */
import { timeText } from '../../../../src/controller/kube-time.ts';
import { done, type Outcome, retry } from '../../../../src/controller/reconcile.ts';
import type { JsonObject, KubeObject, Resource } from '../../../../src/kube/object.ts';
import type { SnapshotError } from '../../../../src/kube/snapshots.ts';
import { marksOf, type SnapshotterContext } from './context.ts';
import type { CutFailure } from './storage/cutter.ts';
import type { Cut } from './storage/ways.ts';

export interface Content extends KubeObject {
  status?: { readyToUse?: boolean; error?: SnapshotError };
}

export class ContentWrites<T extends Content> {
  readonly #context: SnapshotterContext;
  readonly #resource: Resource<T>;
  /** Name of the annotation that marks a content from before a cut until its outcome is known (CLUS-C1). */
  readonly #mark: string;

  constructor(context: SnapshotterContext, resource: Resource<T>, mark: string) {
    this.#context = context;
    this.#resource = resource;
    this.#mark = mark;
  }

  begin(content: T): Promise<T> {
    return this.#annotate(content, { [this.#mark]: 'yes' });
  }

  async record(content: T, cut: Cut, status: NonNullable<T['status']>): Promise<Outcome> {
    const marked = await this.#annotate(content, marksOf(cut));
    const { client } = this.#context;
    return this.settle(await client.replaceStatus(this.#resource, { ...marked, status }));
  }

  /** Removes the mark. The mark may still exist if the process restarted after it wrote the status. */
  async settle(content: T): Promise<Outcome> {
    if (content.metadata?.annotations?.[this.#mark] !== undefined) {
      await this.#annotate(content, { [this.#mark]: null });
    }
    return done;
  }

  /**
   * Reports the failure. The content keeps its mark unless the failure is final. In both cases the cut is retried while
   * the content exists.
   */
  async fail(content: T, { final, message }: CutFailure): Promise<Outcome> {
    const { client, platform } = this.#context;
    const settled = final ? await this.#annotate(content, { [this.#mark]: null }) : content;
    if (settled.status?.error?.message !== message) {
      const error = { time: timeText(platform.clock.nowMs()), message };
      const status = { ...settled.status, readyToUse: false, error };
      await client.replaceStatus(this.#resource, { ...settled, status });
    }
    return retry(new Error(message));
  }

  /** Sets annotations; one with the value null is removed. */
  #annotate({ metadata = {} }: T, annotations: JsonObject): Promise<T> {
    const { name = '', uid = '' } = metadata;
    const body = { metadata: { uid, annotations } };
    return this.#context.client.patch(this.#resource, { name }, { type: 'merge', body });
  }
}
