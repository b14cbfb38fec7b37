/** The test phase: commands on built images, with the hooks around it. A failure keeps everything behind it from running. */
import type { ModuleConfig, TestConfig } from '../config/model.ts';
import { knownNamespaces } from '../deploy/inventory.ts';
import { runStage, type StageFacts } from '../hooks/run-stage.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';

/** In the order of the file, one after another; what tests an image that was not built is left out, as shipped. */
export async function runTests(
  session: PipelineSession,
  built: readonly BuiltArtifact[],
): Promise<PhaseResult<null>> {
  if (session.options.skipTests) return DONE;
  const tests = session.config.modules.flatMap((module) =>
    module.test.map((one) => ({ module, test: one })),
  );
  const hooks = session.config.ownHooks.test;
  // Containers are those of an earlier deployment: nothing of this run is there yet.
  const namespaces = await knownNamespaces(session);
  const facts = (): StageFacts => ({
    phase: { kind: 'other' },
    containers: { namespaces, image: null, waitMs: 0 },
  });
  return runStage(session, { hooks, facts, work: () => runAll(tests, built, session) });
}

const DONE = { outcome: 'Succeeded', value: null } as const;

interface OneTest {
  readonly module: ModuleConfig;
  readonly test: TestConfig;
}

async function runAll(
  tests: readonly OneTest[],
  built: readonly BuiltArtifact[],
  session: PipelineSession,
): Promise<PhaseResult<null>> {
  const { tell } = session.hooks;
  for (const one of tests) {
    const { image, structureTests } = one.test;
    const artifact = built.find((each) => each.image === image);
    if (artifact === undefined) continue;
    if (structureTests.length > 0) {
      const message = `${image}: structure tests are not run. Next: call container-structure-test in a custom test.`;
      tell({ type: 'Warning', code: 'LHL309', message });
    }
    tell({ type: 'PhaseEvent', phase: 'test', status: 'InProgress', subject: image });
    const result = await runCommands(one, artifact, session);
    const status = result.outcome === 'Succeeded' ? 'Succeeded' : 'Failed';
    tell({ type: 'PhaseEvent', phase: 'test', status, subject: image });
    if (result.outcome !== 'Succeeded') return result;
  }
  return DONE;
}

/** The command runs in the module's folder and is told the image by IMAGE, and what it was built of. */
async function runCommands(
  { module, test }: OneTest,
  { reference }: BuiltArtifact,
  session: PipelineSession,
): Promise<PhaseResult<null>> {
  for (const [index, { command, timeoutSeconds }] of test.custom.entries()) {
    const ran = await runProgram(
      {
        argv: ['sh', '-c', command],
        cwd: module.folder,
        env: { IMAGE: reference, TEST_CONTEXT: test.context },
        source: `test/${test.image}/${index}`,
        ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      },
      session,
    );
    if (ran.outcome !== 'Succeeded') {
      const title = `error LHL308: A test of ${test.image} failed`;
      return programFailure(ran, { title, next: `run it by hand: IMAGE=${reference} ${command}` });
    }
  }
  return DONE;
}
