import type { TcpTarget } from '../../../src/platform/platform.ts';
import type { RunningContainer } from '../../../src/platform/container-runtime.ts';
import type { PodEvent } from '../../../src/lifecycles/pod/pod-host.ts';
import { exitCodeOf } from '../../../src/model/exit-code.ts';
import type { Call, PodAccount, RunAccount, Stop } from './account.ts';
import {
  expectFailureEvent,
  judgeCommand,
  judgeConnection,
  judgeProbeBegins,
  judgeRecorded,
  judgeRequest,
} from './judge-handlers.ts';
import { addProbeResult, expectStop, judgeReason } from './judge-probe.ts';
import { expectNext } from './judge-progress.ts';
import { judgeEnd, judgeHookBegins, judgeKill, judgeStopBegins, judgeTerm } from './judge-stop.ts';
import type { Connecting } from './sim-node.ts';
import type { RuntimeWatch } from './sim-runtime.ts';

function whyOf(message: string): Stop['why'] {
  if (message.startsWith('Stopping container')) return 'pod';
  return message.includes(' probe') ? 'probe' : 'postStart';
}

/** Milliseconds within which a terminating pod without running containers must be over. */
const OVER_MS = 5_000;
/** Exit code of a killed command. */
const KILLED = 137;
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Records the events in the account, and calls the judges.
 *
 *  POD-S2 A terminating pod is over soon after its last container has exited: no hook delays it further.
 *  POD-W2 A run is removed only if it has ended and is older than the last two, unless the pod is over.
 */
export class PodWatch implements RuntimeWatch {
  readonly #account: PodAccount;
  /**
   * True if the pod was deleted from the API while the node was down, so that the node stops its containers at its
   * start.
   */
  orphans: boolean = false;

  constructor(account: PodAccount) {
    this.#account = account;
  }

  onRefused({ id, labels }: { id: string; labels: RunningContainer['labels'] }): void {
    const run = this.#begin(id, labels, true);
    this.#account.world.note(`${id} cannot be started`);
    this.#account.end(run, { exitCode: 127, ranMs: 0 });
  }

  onStarted({ id, labels }: RunningContainer): void {
    this.#begin(id, labels, false);
  }

  onSignal({ id }: RunningContainer): void {
    judgeTerm(this.#account, this.#run(id));
  }

  onKill({ id }: RunningContainer): void {
    if (!this.orphans) judgeKill(this.#account, this.#run(id));
  }

  onEnded({ id, startedAtMs, end }: RunningContainer): void {
    const account = this.#account;
    const run = this.#run(id);
    if (end === null) return;
    account.end(run, { exitCode: exitCodeOf(end) ?? KILLED, ranMs: end.endedAtMs - startedAtMs });
    judgeEnd(account, run);
    if (!this.orphans) expectNext(account, run);
    this.#expectOver();
  }

  onExec({ id }: RunningContainer, argv: readonly string[]): (exitCode: number) => void {
    const account = this.#account;
    const { life, world } = account;
    const beganMs = world.elapsedMs;
    const run = this.#run(id);
    const [command = ''] = argv;
    judgeCommand(account, run, argv);
    if (command === 'postStart' || command === 'preStop') {
      const reportEnd = this.#beginHook(run, command);
      return (exitCode) => {
        reportEnd(exitCode === 0, exitCode === KILLED);
      };
    }
    const kind = command as 'startup';
    const endProbe = judgeProbeBegins(account, run, kind);
    return (exitCode) => {
      endProbe();
      // A killed probe has no result if no code waits for it any more. At its timeout, it has failed.
      if (exitCode === KILLED && world.elapsedMs - beganMs < PROBE_TIMEOUT_MS) return;
      addProbeResult(account, run, { kind, ok: exitCode === 0, life });
    };
  }

  onConnect(target: TcpTarget): Connecting | null {
    const account = this.#account;
    const { life, world } = account;
    const beganMs = world.elapsedMs;
    const probed = judgeConnection(account, target);
    if (probed === null) return null;
    const { run, kind } = probed;
    const endProbe = judgeProbeBegins(account, run, kind);
    const onEnd = (ok: boolean): void => {
      endProbe();
      // A cancelled probe has no result. At its timeout, it has failed.
      const isOver = ok || world.elapsedMs - beganMs >= PROBE_TIMEOUT_MS || !target.signal.aborted;
      if (isOver) addProbeResult(account, run, { kind, ok, life });
    };
    return { container: run.container, kind, onEnd };
  }

  onRequest(
    container: string,
    { point, url }: { readonly point: string; readonly url: string },
  ): (ok: boolean, cut: boolean) => void {
    const [run] = this.#account.alive(container);
    if (run === undefined) return () => {};
    judgeRequest(this.#account, run, { point: point as 'preStop', url });
    return this.#beginHook(run, point);
  }

  onRemoved({ id }: RunningContainer): void {
    const { world, life } = this.#account;
    const run = this.#run(id);
    const later = this.#account.ofContainer(run.container).filter((one) => one.count > run.count);
    if (run.endedMs === null) world.violate('POD-W2', `${id} is removed, and runs`);
    if (later.length < 2 && !life.over && !this.orphans) {
      world.violate('POD-W2', `${id} is removed, and is one of the last two`);
    }
  }

  onEvent({ reason, message, container }: PodEvent): void {
    const account = this.#account;
    account.world.note(`event ${reason} ${container ?? ''}: ${message}`);
    if (reason === 'DeadlineExceeded') account.life.deadlineAtMs ??= account.world.elapsedMs;
    if (container === undefined) return;
    account.events.push({ reason, container, atMs: account.world.elapsedMs });
    if (reason !== 'Killing') return;
    const [run] = account.alive(container);
    if (run === undefined) return;
    judgeReason(account, run);
    judgeStopBegins(account, run, whyOf(message));
  }

  #beginHook(run: RunAccount, point: string): (ok: boolean, cut?: boolean) => void {
    const account = this.#account;
    const { world, life } = account;
    judgeHookBegins(account, run, point);
    judgeRecorded(account, run, point);
    const call: Call = {
      point,
      life: life.pid,
      beganMs: world.elapsedMs,
      endedMs: null,
      ok: false,
      cut: false,
    };
    run.calls.push(call);
    return (endedWell, cut = false) => {
      // If the node was killed before the exit, it cannot know that the hook succeeded.
      const ok = endedWell && life.alive;
      Object.assign(call, { endedMs: world.elapsedMs, ok, cut });
      world.note(`${point} of ${run.id} ends ${ok ? 'well' : 'badly'}`);
      const once = run.spec.lifecycle?.postStart?.exec !== undefined;
      expectFailureEvent(account, run, call);
      if (point === 'postStart' && once && !ok && life.alive) expectStop(account, run, 'POD-T2');
    };
  }

  #expectOver(): void {
    const account = this.#account;
    const { world, life } = account;
    world.after(OVER_MS, () => {
      const sinceMs = world.elapsedMs - OVER_MS;
      const reported = life.reported.some(({ atMs }) => atMs <= sinceMs);
      const rested = account.runs.every(({ endedMs }) => endedMs !== null && endedMs <= sinceMs);
      if (!life.alive || life.over || !reported || !rested) return;
      world.violate('POD-S2', 'nothing of the pod runs, and it is not over');
    });
  }

  #begin(id: string, labels: RunningContainer['labels'], refused: boolean): RunAccount {
    const { container = '', restartCount } = labels;
    return this.#account.begin({ id, container, count: Number(restartCount), refused });
  }

  #run(id: string): RunAccount {
    const run = this.#account.run(id);
    if (run === undefined) throw new Error(`nobody knows of run ${id}`);
    return run;
  }
}
