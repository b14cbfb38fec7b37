/** The common interface of the programs that create containers: an OCI runtime, or plain processes. */
import type { ProcessIdentity } from '../../../store/process-table.ts';
import type { Signal } from '../../../platform/platform.ts';
import type { Bundle } from '../config/bundle.ts';
import type { Container, RunnerChoice, SupervisorOrder } from '../life/container.ts';
import type { Life } from '../life/life.ts';
import { processRunner } from './process-runner.ts';
import { runtimeRunner } from './runtime-runner.ts';

export interface OciRunner {
  /** engine: Lifehook runs the hooks of all six points. runtime: it runs the hooks of config.json. */
  readonly hooksBy: 'engine' | 'runtime';
  /** Checks whether the bundle can be run, and how. Throws a LifehookError if it cannot. */
  prepare(making: Making): Promise<SupervisorOrder>;
  /** Lets the waiting program start. */
  start(container: Container): Promise<void>;
  /** Whether the program still waits for `start`. */
  isHeld(container: Container, process: ProcessIdentity): Promise<boolean>;
  kill(container: Container, process: ProcessIdentity, signal: Signal): Promise<void>;
  /** Removes the container's remains, running or not. No error if they are removed already. */
  destroy(container: Container, process: ProcessIdentity | null): Promise<void>;
}

export interface Making {
  readonly id: string;
  readonly bundle: Bundle;
  readonly rootfs: string;
  /** The container's own directory. */
  readonly folder: string;
  readonly stdio: SupervisorOrder['stdio'];
}

export function runnerOf(life: Life, choice: RunnerChoice): OciRunner {
  return choice.kind === 'process' ? processRunner(life) : runtimeRunner(life, choice);
}
