import type { Mutant } from '../kept-mutants.ts';

const CONTAINER = 'src/lifecycles/container';

/** Each mutant breaks one promise to users of containers. The first six are defects that the simulation found. */
export const containerMutants: readonly Mutant[] = [
  {
    name: 'a lock is released by its name, whoever holds it by now',
    file: 'src/store/writer-lock.ts',
    text: `      if (await isHeld()) await options.files.truncate(`,
    by: `      await options.files.truncate(`,
    breaks: ['OCI-O3', 'OCI-L1', 'OCI-D1', 'OCI-O1', 'OCI-O5', 'OCI-D2', 'OCI-K2'],
  },
  {
    name: 'a create that fails removes what another command has made under that name',
    file: `${CONTAINER}/life/container-folders.ts`,
    text: `if (isEmpty && (await lock.isHeld()))`,
    by: `if (isEmpty)`,
    breaks: ['OCI-L1', 'OCI-D1', 'OCI-O1', 'OCI-O5', 'OCI-K2'],
  },
  {
    name: 'a postexit hook is the child of its supervisor',
    file: `${CONTAINER}/life/supervise.ts`,
    text: `const runner = hookRunnerOf(container.order, exitHooksFolder(folder));`,
    by: `const runner = undefined;`,
    breaks: ['OCI-O3', 'ENG-C2', 'OCI-K2'],
  },
  {
    name: 'the runner of a hook does not ask whether its command lives',
    file: `${CONTAINER}/shim/keep-deadline.ts`,
    text: `  if (!(await processes.isAlive(order.by))) return;`,
    by: ``,
    breaks: ['OCI-O6'],
  },
  {
    name: 'delete kills whoever has the number of the process now',
    file: `${CONTAINER}/runners/process-runner.ts`,
    text: `if (process !== null && (await groupMayLive(life.platform.files, process))) {`,
    by: `if (process !== null) {`,
    breaks: ['OCI-K1', 'OCI-D2'],
  },
  {
    name: 'delete leaves the shell that opens the gate',
    file: `${CONTAINER}/runners/process-runner.ts`,
    text: `if (script === holdScript || script === openScript) found.push(pid);`,
    by: `if (script === holdScript) found.push(pid);`,
    breaks: ['OCI-K2'],
  },
  {
    name: 'a hook does not wait for its intent',
    file: `${CONTAINER}/hook-runs/keep-records.ts`,
    text: `      await journal.append(record);`,
    by: `      void journal.append(record).catch(() => undefined);`,
    breaks: ['ENG-E1'],
  },
  {
    name: 'a create that fails leaves its container',
    file: `${CONTAINER}/drive.ts`,
    text: `  const later = await tearDown(down);`,
    by: `  const later: readonly Problem[] = [];`,
    breaks: ['OCI-D1'],
  },
  {
    name: 'createRuntime hooks run before prestart hooks',
    file: `${CONTAINER}/drive.ts`,
    text: `const createStages = ['prestart', 'createRuntime', 'createContainer'] as const;`,
    by: `const createStages = ['createRuntime', 'prestart', 'createContainer'] as const;`,
    breaks: ['OCI-O1'],
  },
  {
    name: 'a poststop hook that fails ends the list',
    file: `${CONTAINER}/hook-runs/plan-point.ts`,
    text: `if (point === 'poststop' || point === 'postexit') return 'Ignore';`,
    by: `if (point === 'postexit') return 'Ignore';`,
    breaks: ['OCI-O4'],
  },
  {
    name: 'postexit hooks run before the exit is recorded',
    file: `${CONTAINER}/life/record-exit.ts`,
    text: `  await writePartOnce(folder, 'exit', seen);`,
    by: ``,
    breaks: ['OCI-V2'],
  },
  {
    name: 'the program begins before that is recorded',
    file: `${CONTAINER}/drive.ts`,
    text: `  await writePart(folder, 'started', { atMs: life.platform.clock.nowMs() });`,
    by: ``,
    breaks: ['OCI-D2'],
  },
  {
    name: 'delete does not end the hook of a killed command',
    file: `${CONTAINER}/life/tear-down.ts`,
    text: `  await endLeftHook(life, hooksFolder(folder));`,
    by: ``,
    breaks: ['OCI-O3', 'OCI-K2', 'OCI-D2'],
  },
  {
    name: 'the runner keeps no deadline',
    file: `${CONTAINER}/shim/keep-deadline.ts`,
    text: `const limits = { timeoutMs: order.timeoutMs, signal: cancelling };`,
    by: `const limits = { timeoutMs: null, signal: cancelling };`,
    breaks: ['ENG-C2', 'OCI-R1', 'OCI-K2'],
  },
  {
    name: 'the variables of a hook are not masked in what it prints',
    file: 'src/handlers/command.ts',
    text: `const secrets = [...(request.secrets ?? []), ...secretValues(handler.env ?? {})];`,
    by: `const secrets = [...(request.secrets ?? [])];`,
    breaks: ['OCI-S1'],
  },
  {
    name: 'a second delete runs the hooks of the first again',
    file: `${CONTAINER}/hook-runs/plan-point.ts`,
    text: 'runId: `${container.id}/${point}`,',
    by: 'runId: `${container.id}/${point}/${performance.now()}`,',
    breaks: ['OCI-O2'],
  },
];
