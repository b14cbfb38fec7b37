/** Follows an object on the server until it has ended. */
import process from 'node:process';

import type { KubeObject, Resource } from '../../kube/object.ts';
import type { LifehookError } from '../../model/problem.ts';
import { abortAfter, cancelOnSignals } from '../cancel-on-signals.ts';
import type { CliCluster } from '../kube-connection.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import { printable } from '../terminal-text.ts';
import { watchChanges } from '../watch-changes.ts';

export interface FollowOptions extends QuietOptions {
  /** Seconds until the command stops waiting. */
  readonly timeout: number;
  readonly output: OutputFormat;
}

interface Followed<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly made: T;
  readonly hasEnded: (object: T) => boolean;
  /** The current action or wait of the object as a text, which is printed once; empty: nothing is printed. */
  readonly phaseText: (object: T) => string;
  readonly deletedEarly: (name: string) => LifehookError;
}

export interface LastState<T> {
  readonly last: T;
  readonly isInterrupted: boolean;
}

const MS = 1_000;

/** Resolves when the object has ended, at the timeout, or when the user interrupts. Rejects if it was deleted. */
export async function followObject<T extends KubeObject>(
  { connection, namespace }: CliCluster,
  { resource, made, hasEnded, phaseText, deletedEarly }: Followed<T>,
  options: FollowOptions,
): Promise<LastState<T>> {
  const interrupted = cancelOnSignals();
  const signal = AbortSignal.any([interrupted, abortAfter(options.timeout * MS)]);
  const { name = '', uid } = made.metadata ?? {};
  const scope = { namespace, fieldSelector: `metadata.name=${name}`, known: [made], signal };
  const report = reporter(options);
  let last = made;
  for await (const event of watchChanges(connection, resource, scope)) {
    if (event.type === 'Delete') throw deletedEarly(name);
    if (event.type !== 'Upsert' || event.object.metadata?.uid !== uid) continue;
    last = event.object;
    report(phaseText(last));
    if (hasEnded(last)) break;
  }
  return { last, isInterrupted: interrupted.aborted };
}

/** Prints a text, unless it is the text that was printed last or the user wants no progress. */
function reporter({ output, quiet = false }: FollowOptions): (text: string) => void {
  if (output !== 'text' || quiet) return () => undefined;
  let reported = '';
  return (text) => {
    if (text !== reported && text !== '') process.stdout.write(printable(`  ${text}\n`));
    reported = text;
  };
}
