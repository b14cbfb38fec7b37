/** Runs the test phase: commands on built images, with hooks around it. A failure prevents all later phases. */
import { shellWords } from '../../../model/shell-words.ts';
import type { ModuleConfig, TestConfig } from '../config/model.ts';
import { knownNamespaces } from '../deploy/inventory.ts';
import { reportRejection } from '../events/report-rejection.ts';
import { runStage, type StageFacts } from '../hooks/run-stage.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import { findFiles } from '../render/find-files.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';

/**
 * Runs the tests sequentially, in the order of the file. Tests of images that were not built are skipped, as in
 * skaffold.
 */
export async function runTests(
  session: PipelineSession,
  built: readonly BuiltArtifact[],
): Promise<PhaseResult<null>> {
  if (session.options.skipTests) return DONE;
  const tests = session.config.modules.flatMap((module) =>
    module.test.map((one) => ({ module, test: one })),
  );
  const hooks = session.config.ownHooks.test;
  // Hooks run in containers of an earlier deployment, since this run has deployed nothing yet.
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
  const { emit } = session.hooks;
  for (const one of tests) {
    const { image } = one.test;
    const artifact = built.find((each) => each.image === image);
    if (artifact === undefined) continue;
    const event = { type: 'PhaseEvent', phase: 'test', subject: image } as const;
    emit({ ...event, status: 'InProgress' });
    const result = await reportRejection(emit, event, () => runCommands(one, artifact, session));
    emit({ ...event, status: result.outcome === 'Succeeded' ? 'Succeeded' : 'Failed' });
    if (result.outcome !== 'Succeeded') return result;
  }
  return DONE;
}

/** Commands run in the module's directory, with the image in IMAGE and the context of the test in TEST_CONTEXT. */
async function runCommands(
  { module, test }: OneTest,
  { reference }: BuiltArtifact,
  session: PipelineSession,
): Promise<PhaseResult<null>> {
  const structure = await structureCommand(test, reference, session);
  if (structure.outcome !== 'Succeeded') return structure;
  const env = { IMAGE: reference, TEST_CONTEXT: test.context };
  const custom = test.custom.map(({ command, timeoutSeconds }) => ({
    argv: ['sh', '-c', command],
    byHand: `IMAGE=${reference} ${command}`,
    timeoutSeconds,
  }));
  for (const [index, { argv, byHand, timeoutSeconds }] of [
    ...structure.value,
    ...custom,
  ].entries()) {
    const ran = await runProgram(
      {
        argv,
        cwd: module.folder,
        env,
        source: `test/${test.image}/${index}`,
        ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      },
      session,
    );
    if (ran.outcome !== 'Succeeded') {
      const title = `error LHL308: A test of ${test.image} failed`;
      return programFailure(ran, { title, next: `run it by hand: ${byHand}` });
    }
  }
  return DONE;
}

export interface TestCommand {
  readonly argv: readonly string[];
  /** The command as a user can type it, for messages. */
  readonly byHand: string;
  readonly timeoutSeconds: number | null;
}

/**
 * The command for the structure tests of an image: the program container-structure-test runs them, as in skaffold.
 * Returns at most one command, with the files of all patterns. A pattern that no file matches is a failure.
 */
async function structureCommand(
  { context, image, structureTests, structureTestsArgs }: TestConfig,
  reference: string,
  { platform }: PipelineSession,
): Promise<PhaseResult<readonly TestCommand[]>> {
  if (structureTests.length === 0) return { outcome: 'Succeeded', value: [] };
  const { files, unmatched } = await findFiles(platform.files, context, structureTests);
  if (unmatched.length > 0) {
    const message = `error LHL308: No structure test of ${image} is matched by ${unmatched.join(', ')} in ${context}.\n  next: Correct or remove it.`;
    return { outcome: 'Failed', exitCode: 1, message };
  }
  const argv = [
    'container-structure-test',
    'test',
    '-v',
    'warn',
    '--image',
    reference,
    ...files.flatMap((file) => ['--config', file]),
    ...structureTestsArgs,
  ];
  return {
    outcome: 'Succeeded',
    value: [{ argv, byHand: shellWords(argv), timeoutSeconds: null }],
  };
}
