import type { Mutant } from '../kept-mutants.ts';

const CONTAINER = 'src/lifecycles/container';

/** Each mutant breaks one promise to users who interrupt a command, replace a container, or stop a hook. */
export const containerInterruptionMutants: readonly Mutant[] = [
  {
    name: 'a supervisor acts for a later container with the same id',
    file: `${CONTAINER}/life/supervise.ts`,
    text: 'if (container?.instance !== instance) return null;',
    by: 'if (container === null) return null;',
    breaks: ['OCI-V3'],
  },
  {
    name: 'the runner stops a hook alone',
    file: `${CONTAINER}/shim/keep-deadline.ts`,
    text: '  return treeOf(running, supervision);',
    by: '  return running;',
    breaks: ['OCI-CASE26', 'ENG-C2'],
  },
  {
    name: 'a daemon ends with the hook that started it',
    file: `${CONTAINER}/shim/keep-deadline.ts`,
    text: '  return treeOf(running, supervision);',
    by: `  const tree = treeOf(running, supervision);
  void tree.exited.then(() => {
    tree.signalGroup('SIGTERM');
  });
  return tree;`,
    breaks: ['ENG-C1'],
  },
  {
    name: 'a process outside of the group of its hook gets KILL at once',
    file: `${CONTAINER}/hook-runs/whole-tree.ts`,
    text: '      signalAll(outside, signal);',
    by: `      if (signal === 'SIGKILL') signalAll(outside, signal);`,
    breaks: ['ENG-C2'],
  },
  {
    name: 'only the leader of the group of a hook gets TERM',
    file: `${CONTAINER}/shim/keep-deadline.ts`,
    text: 'supervision.signalProcess(-hook.pid, signal);',
    by: 'supervision.signalProcess(hook.pid, signal);',
    breaks: ['ENG-C2'],
  },
  {
    name: 'hooks of create begin after a Ctrl-C',
    file: `${CONTAINER}/drive.ts`,
    text: 'const outcome = await runStage(down, stage, { moment, signal });',
    by: 'const outcome = await runStage(down, stage, { moment, signal: undefined });',
    breaks: ['ENG-E7'],
  },
  {
    name: 'startContainer hooks begin after a Ctrl-C',
    file: `${CONTAINER}/drive.ts`,
    text: `const ready = await runStage(down, 'startContainer', { moment: before, signal });`,
    by: `const ready = await runStage(down, 'startContainer', { moment: before, signal: undefined });`,
    breaks: ['ENG-E7'],
  },
  {
    name: 'poststart hooks begin after a Ctrl-C',
    file: `${CONTAINER}/drive.ts`,
    text: `  return runStage(down, 'poststart', { moment: after, signal });`,
    by: `  return runStage(down, 'poststart', { moment: after, signal: undefined });`,
    breaks: ['ENG-E7'],
  },
  {
    name: 'a signal that arrives before the program is lost',
    file: `${CONTAINER}/life/run-container.ts`,
    text: 'for (const name of early) passOn(name);',
    by: '',
    breaks: ['OCI-D6'],
  },
  {
    name: 'a signal for run does not reach its program',
    file: `${CONTAINER}/life/run-container.ts`,
    text: 'if (running) passOn(name);',
    by: 'if (running) return;',
    breaks: ['OCI-D6'],
  },
];
