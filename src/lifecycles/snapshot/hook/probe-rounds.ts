/**
 * One probe round for each hook, after the cut and before the first thaw. It asks all targets in parallel whether their
 * freezes are in force. The applications are frozen meanwhile, so all targets share one time limit. A target that has
 * not answered in time is Unknown.
 *
 * - The round of a hook starts at most once in a term.
 * - It ends within PROBE_BEFORE_THAW_MS, or when its hook expires (SNAP-I5), and then has an answer for each target.
 */
import { microTimeText } from '../../../controller/kube-time.ts';
import { neverCancelled } from '../../../engine/act.ts';
import { runExec } from '../../../handlers/exec.ts';
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import type { ContainerAccess, SnapshotContext } from '../context.ts';
import type { ContainerStatus, ProbeStatus, ResolvedActions } from '../kinds.ts';
import { AttemptPool } from './attempts.ts';
import type { Round } from './facts.ts';

/** Milliseconds that the thaw waits for the answers. */
export const PROBE_BEFORE_THAW_MS = 5_000;
/** Maximum number of probes that run at once, for all hooks together; each is a connection to the API server. */
export const PROBES_AT_ONCE = 512;

export interface BeginningRound {
  readonly hookUid: string;
  /** The token of the annotation that reported the cut. */
  readonly cutToken: string;
  readonly targets: readonly ContainerStatus[];
  /** Milliseconds until the hook expires; null: it never does. */
  readonly restUntilExpiryMs: number | null;
  /** Asks the probe about one target. Never rejects. */
  readonly ask: (target: ContainerStatus, asking: RoundAsking) => Promise<ProbeStatus>;
  readonly onEnd: () => void;
}

export interface RoundAsking {
  readonly timeoutMs: number;
  readonly signal: CancelSignal;
}

interface Asked {
  /** The answers by `containerKey`; null: the round is running. */
  answers: ReadonlyMap<string, ProbeStatus> | null;
  readonly calling: AbortController;
  readonly cutToken: string;
}

export class ProbeRounds {
  readonly #platform: Pick<Platform, 'clock' | 'timers'>;
  readonly #pool = new AttemptPool(PROBES_AT_ONCE);
  readonly #rounds = new Map<string, Asked>();

  constructor(platform: Pick<Platform, 'clock' | 'timers'>) {
    this.#platform = platform;
  }

  look(hookUid: string): Round {
    const round = this.#rounds.get(hookUid);
    if (round === undefined) return { kind: 'none' };
    const { answers, cutToken } = round;
    return answers === null
      ? { kind: 'underWay', cutToken }
      : { kind: 'answered', answers, cutToken };
  }

  begin(beginning: BeginningRound): void {
    const { hookUid, cutToken } = beginning;
    if (this.#rounds.has(hookUid)) return;
    const round: Asked = { answers: null, calling: new AbortController(), cutToken };
    this.#rounds.set(hookUid, round);
    void this.#ask(beginning, round);
  }

  forget(hookUid: string): void {
    this.#rounds.get(hookUid)?.calling.abort();
    this.#rounds.delete(hookUid);
  }

  close(): void {
    for (const hookUid of this.#rounds.keys()) this.forget(hookUid);
  }

  async #ask(beginning: BeginningRound, round: Asked): Promise<void> {
    const { targets, ask, onEnd, restUntilExpiryMs } = beginning;
    const { signal } = round.calling;
    const timeoutMs = Math.min(PROBE_BEFORE_THAW_MS, restUntilExpiryMs ?? PROBE_BEFORE_THAW_MS);
    const answers = new Map<string, ProbeStatus>();
    const all = targets.map((target) =>
      this.#pool.run(async () => {
        if (!signal.aborted)
          answers.set(containerKey(target), await ask(target, { timeoutMs, signal }));
      }),
    );
    await this.#within(timeoutMs, Promise.all(all));
    if (signal.aborted) return;
    const at = microTimeText(this.#platform.clock.nowMs());
    const ended = new Map(
      targets.map((target) => {
        const key = containerKey(target);
        return [key, answers.get(key) ?? notAnswered(at, timeoutMs)] as const;
      }),
    );
    round.answers = ended;
    round.calling.abort();
    onEnd();
  }

  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    let callOff = (): void => {};
    const limit = new Promise<void>((resolve) => {
      callOff = this.#platform.timers.after(ms, resolve);
    });
    await Promise.race([work, limit]);
    callOff();
  }
}

/** Identifies a target within its hook. */
export function containerKey({
  podUID,
  containerName,
}: Pick<ContainerStatus, 'podUID' | 'containerName'>): string {
  return `${podUID}/${containerName}`;
}

function notAnswered(at: string, timeoutMs: number): ProbeStatus {
  const within =
    timeoutMs < PROBE_BEFORE_THAW_MS
      ? 'before the hook expired'
      : `within ${PROBE_BEFORE_THAW_MS / 1_000} s`;
  const reason = `The probe did not answer ${within}, so the thaw starts without the answer.`;
  return { when: 'AfterCut', at, outcome: 'Unknown', reason };
}

interface Asking {
  readonly context: SnapshotContext;
  readonly access: ContainerAccess;
  readonly namespace: string;
  readonly hookName: string;
  readonly probe: NonNullable<ResolvedActions['probe']>;
  /** Milliseconds left for the answer. The probe's own timeout applies too. */
  readonly timeoutMs: number;
  readonly signal?: CancelSignal;
}

/**
 * Asks a target whether its freeze is in force: exit code 0 means yes, 1 means no, and any other end is no answer.
 * Never rejects.
 */
export async function askProbe(
  when: ProbeStatus['when'],
  { podName, containerName, podUID }: ContainerStatus,
  asking: Asking,
): Promise<ProbeStatus> {
  const {
    context,
    access,
    namespace,
    hookName,
    probe,
    timeoutMs,
    signal = neverCancelled,
  } = asking;
  const { clock } = context.platform;
  const limitMs = Math.min(timeoutMs, probe.timeoutSeconds * 1_000);
  const place = { namespace, pod: podName, container: containerName };
  const handler = { kind: 'exec', command: probe.command, ...place } as const;
  const request = { runId: podUID, step: 'probe', attempt: 1, timeoutMs: limitMs, signal };
  const target = { namespace, hook: hookName, pod: podName, container: containerName };
  context.observe({ type: 'AttemptStarted', target, action: 'probe' });
  const result = await runExec(handler, request, { clock, exec: access.exec });
  const { exitCode, reason, outcome: end, durationMs } = result;
  context.observe({ type: 'AttemptEnded', target, action: 'probe', outcome: end, durationMs });
  const outcome = answerOf(exitCode);
  return { when, at: microTimeText(clock.nowMs()), outcome, reason: `The probe: ${reason}` };
}

/**
 * The outcome of a probe. Any other exit code than 0 and 1 means that the probe itself failed, for example because it
 * was killed or not found.
 */
function answerOf(exitCode: number | null): ProbeStatus['outcome'] {
  if (exitCode === 0) return 'Frozen';
  return exitCode === 1 ? 'NotFrozen' : 'Unknown';
}
