import type { Mutant } from '../kept-mutants.ts';

const CONTAINER = 'src/lifecycles/container';

/** Each mutant breaks one promise to hooks or to users of commands, on a machine without other faults. */
export const containerPromiseMutants: readonly Mutant[] = [
  {
    name: 'a hook is given another bundle',
    file: `${CONTAINER}/life/life.ts`,
    text: `    bundle,
    annotations,`,
    by: `    bundle: '/',
    annotations,`,
    breaks: ['OCI-O5'],
  },
  {
    name: 'a hook is not given the annotations',
    file: `${CONTAINER}/life/life.ts`,
    text: `    bundle,
    annotations,`,
    by: `    bundle,
    annotations: {},`,
    breaks: ['OCI-O5'],
  },
  {
    name: 'a hook inherits the path of the host',
    file: `${CONTAINER}/hook-runs/plan-point.ts`,
    text: 'env: { ...environmentOf(env ?? []),',
    by: `env: { PATH: '/bin', ...environmentOf(env ?? []),`,
    breaks: ['OCI-O5'],
  },
  {
    name: 'hooks of the container begin in its bundle',
    file: `${CONTAINER}/hook-runs/plan-point.ts`,
    text: `return point === 'createContainer' || point === 'startContainer'`,
    by: `return point === 'startContainer'`,
    breaks: ['OCI-O5'],
  },
  {
    name: 'postexit hooks are not run where the supervisor was killed',
    file: `${CONTAINER}/life/tear-down.ts`,
    text: '  const failures = await recordExit(exiting, unseen);',
    by: `  const report = await readPart(folder, 'exit');
  const failures = report === null ? [] : await recordExit(exiting, unseen);`,
    breaks: ['OCI-O7'],
  },
  {
    name: 'postexit hooks are not run',
    file: `${CONTAINER}/life/record-exit.ts`,
    text: `if ((await readPart(folder, 'started')) === null) return [];`,
    by: 'if (seen !== null) return [];',
    breaks: ['OCI-O7'],
  },
  {
    name: 'a container that runs can be started',
    file: `${CONTAINER}/decide.ts`,
    text: `if (status !== 'created') return wrongStatus(observed, 'started', 'created');`,
    by: `if (status !== 'created' && status !== 'running') return wrongStatus(observed, 'started', 'created');`,
    breaks: ['OCI-D4'],
  },
  {
    name: 'a container that runs is deleted without force',
    file: `${CONTAINER}/decide.ts`,
    text: `if (force || status === 'stopped' || leftover) return null;`,
    by: `if (force || status === 'stopped' || status === 'running' || leftover) return null;`,
    breaks: ['OCI-D4'],
  },
  {
    name: 'a container that has ended is not deleted without force',
    file: `${CONTAINER}/decide.ts`,
    text: `if (force || status === 'stopped' || leftover) return null;`,
    by: 'if (force || leftover) return null;',
    breaks: ['OCI-D4'],
  },
  {
    name: 'run leaves its container',
    file: `${CONTAINER}/life/run-container.ts`,
    text: 'const warnings = await deleteContainer(life, id, { force: true });',
    by: 'const warnings: readonly Problem[] = [];',
    breaks: ['OCI-D5'],
  },
  {
    name: 'run does not tell the exit of its program',
    file: `${CONTAINER}/life/run-container.ts`,
    text: `return (await readPart(folder, 'exit')) ?? unseen(life);`,
    by: 'return unseen(life);',
    breaks: ['OCI-D5'],
  },
  {
    name: 'a poststart hook that only warns ends the container',
    file: `${CONTAINER}/hook-runs/plan-point.ts`,
    text: `return point === 'poststart' && poststartFailure === 'warn' ? 'Ignore' : 'Abort';`,
    by: `return point === 'poststart' && poststartFailure === 'warn' ? 'Abort' : 'Abort';`,
    breaks: ['OCI-CASE30'],
  },
  {
    name: 'a container that runs is reported as created',
    file: `${CONTAINER}/life/query.ts`,
    text: `const status = statusOf(observed);
  const { runner`,
    by: `const was = statusOf(observed);
  const status = was === 'running' ? 'created' : was;
  const { runner`,
    breaks: ['OCI-R2'],
  },
];
