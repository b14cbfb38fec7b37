/**
 * The modules whose mutants the unit tests must kill: code that decides and code that parses. Simulations and
 * end-to-end tests cover code with side effects.
 */
import { type MutantModule, within } from './mutant-module.ts';
import { parserModules } from './parser-modules.ts';

const ROLLOUT = 'src/lifecycles/rollout';
const SNAPSHOT = 'src/lifecycles/snapshot';
const CONTAINER = 'src/lifecycles/container';
const PIPELINE = 'src/lifecycles/pipeline';
const POD = 'src/lifecycles/pod';

const snapshotActingTests = [
  ...within(`${SNAPSHOT}/app`, 'acting.test.ts', 'drive.test.ts', 'fit-evidence.test.ts'),
  ...within(`${SNAPSHOT}/app`, 'new-term.test.ts', 'cut-steps.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'drive.test.ts', 'drive-freeze.test.ts', 'drive-rescue.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'drive-terminating.test.ts', 'drive-thaw.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'drive-unproven.test.ts', 'expiry.test.ts', 'fit-status.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'holds.test.ts', 'hook-controller.test.ts', 'lost-status.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'not-started.test.ts', 'refused-status.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'run-action.test.ts', 'shared-freeze.test.ts'),
  ...within(`${SNAPSHOT}/hook`, 'wait-for-pods.test.ts'),
];

/** Ordered by danger, highest first: `--changed` spends its mutants in this order. */
export const mutantModules: readonly MutantModule[] = [
  { name: 'engine', mutated: ['src/engine'], tests: ['src/engine'], floor: 90 },
  {
    name: 'rollout-machine',
    mutated: [`${ROLLOUT}/machine`],
    acting: [
      ...within(`${ROLLOUT}/machine`, 'acting.ts', 'caches.ts', 'carry-out.ts', 'drive.ts'),
      `${ROLLOUT}/machine/gather.ts`,
    ],
    tests: within(ROLLOUT, 'machine', 'runs'),
    floor: 90,
  },
  {
    name: 'rollout-runs',
    mutated: [`${ROLLOUT}/runs`],
    acting: [
      ...within(`${ROLLOUT}/runs`, 'carry-out-stage.ts', 'create-pod.ts', 'record-attempt.ts'),
      ...within(`${ROLLOUT}/runs`, 'stage-acting.ts', 'report-stage.ts'),
    ],
    tests: within(ROLLOUT, 'runs', 'machine'),
    floor: 90,
  },
  {
    name: 'rollout',
    mutated: within(ROLLOUT, 'gate', 'hookpod', 'schema'),
    tests: within(ROLLOUT, 'gate', 'hookpod', 'schema'),
    floor: 93,
  },
  {
    // Excludes files with side effects: they drive, run, write or keep caches.
    name: 'snapshot-hook',
    mutated: [
      ...within(`${SNAPSHOT}/hook`, 'decide.ts', 'decide-freeze.ts', 'decide-release.ts'),
      ...within(`${SNAPSHOT}/hook`, 'decide-thaw.ts', 'targets.ts', 'plan.ts', 'records.ts'),
      ...within(`${SNAPSHOT}/hook`, 'settle-attempts.ts', 'notice-ends.ts', 'ask-after-cut.ts'),
      ...within(`${SNAPSHOT}/hook`, 'summarize.ts', 'overdue.ts'),
      ...within(`${SNAPSHOT}/hook`, 'select-targets.ts', 'kept-attempts.ts', 'smallest-form.ts'),
      ...within(`${SNAPSHOT}/hook`, 'sessions.ts', 'elapsed-times.ts', 'probe-rounds.ts'),
      ...within(`${SNAPSHOT}/hook`, 'attempts.ts', 'masked-result.ts'),
      ...within(`${SNAPSHOT}/hook`, 'handler-of.ts', 'rescue-pod.ts', 'begin-hook.ts'),
      `${SNAPSHOT}/hook/hold-registry.ts`,
    ],
    tests: within(SNAPSHOT, 'hook', 'app'),
    actingTests: snapshotActingTests,
    floor: 90,
  },
  {
    // Excludes files with side effects: they read and write objects.
    name: 'snapshot-app',
    mutated: [
      ...within(`${SNAPSHOT}/app`, 'decide.ts', 'decide-freeze.ts', 'decide-end.ts', 'cut.ts'),
      ...within(`${SNAPSHOT}/app`, 'evidence.ts', 'verdict.ts', 'plan.ts'),
      ...within(`${SNAPSHOT}/app`, 'thaw-order.ts', 'conditions-of.ts'),
      ...within(`${SNAPSHOT}/app`, 'late-cuts.ts', 'content-of.ts', 'usage.ts'),
      ...within(`${SNAPSHOT}/app`, 'snapshot-class.ts', 'cut-times.ts'),
      ...within(`${SNAPSHOT}/app`, 'read-identities.ts', 'verdict-marks.ts', 'made-objects.ts'),
      ...within(`${SNAPSHOT}/app`, 'claim-hooks.ts', 'check-spec.ts'),
    ],
    tests: within(SNAPSHOT, 'app', 'hook'),
    actingTests: snapshotActingTests,
    floor: 94,
  },
  {
    // Excludes the schemas themselves, which are data.
    name: 'snapshot',
    mutated: [
      ...within(`${SNAPSHOT}/schema`, 'check-action.ts', 'check-actions.ts'),
      ...within(`${SNAPSHOT}/schema`, 'check-hook.ts', 'check-recipe.ts'),
      ...within(`${SNAPSHOT}/schema`, 'check-snapshot.ts', 'check-targets.ts', 'validate.ts'),
      ...within(`${SNAPSHOT}/schema`, 'resolve-actions.ts', 'warnings.ts'),
      ...within(SNAPSHOT, 'admission/author-needs.ts', 'admission/review.ts', 'required-level.ts'),
      ...within(SNAPSHOT, 'recipes/judge-actions.ts', 'session/holder-report.ts'),
      `${SNAPSHOT}/session/opening-result.ts`,
    ],
    tests: [SNAPSHOT, ...within(SNAPSHOT, 'schema', 'admission', 'recipes', 'session')],
    floor: 90,
  },
  {
    name: 'snapshot-guard',
    mutated: [
      ...within(`${SNAPSHOT}/app`, 'decide-window.ts'),
      ...within(`${SNAPSHOT}/app`, 'window-marks.ts', 'window-verdicts.ts'),
      ...within(`${SNAPSHOT}/guard`, 'choose-window.ts', 'decide.ts', 'guard-window.ts'),
      ...within(`${SNAPSHOT}/guard`, 'match-guards.ts', 'requested-snapshot.ts'),
      ...within(`${SNAPSHOT}/guard`, 'rest.ts'),
    ],
    tests: within(SNAPSHOT, 'guard', 'app'),
    actingTests: snapshotActingTests,
    floor: 92,
  },
  {
    name: 'snapshot-restore',
    mutated: [
      ...within(`${SNAPSHOT}/restore`, 'decide.ts', 'decide-attempt.ts', 'decide-claims.ts'),
      ...within(`${SNAPSHOT}/restore`, 'decide-end.ts', 'plan.ts', 'source-verdict.ts'),
    ],
    tests: within(SNAPSHOT, 'restore'),
    floor: 93,
  },
  {
    name: 'snapshot-schedule',
    mutated: within(
      `${SNAPSHOT}/schedule`,
      'decide.ts',
      'decide-times.ts',
      'due.ts',
      'retention.ts',
      'periods.ts',
    ),
    tests: within(SNAPSHOT, 'schedule'),
    actingTests: within(
      `${SNAPSHOT}/schedule`,
      'schedule-controller.test.ts',
      'handled-times.test.ts',
      'year.test.ts',
    ),
    floor: 95,
  },
  {
    name: 'pod',
    mutated: [
      ...within(POD, 'decide.ts', 'run.ts', 'conditions.ts', 'status.ts'),
      ...within(POD, 'grace.ts', 'in-place.ts', 'resize.ts', 'probe.ts'),
      ...within(POD, 'kubelet-words.ts', 'lint'),
    ],
    tests: [POD, `${POD}/lint`],
    floor: 97,
  },
  {
    name: 'container',
    mutated: [
      ...within(CONTAINER, 'decide.ts', 'explain.ts', 'points.ts'),
      ...within(CONTAINER, 'hooksd/match.ts', 'hooksd/resolve.ts'),
      ...within(CONTAINER, 'hooksd/select.ts', 'hooksd/path-trust.ts'),
      ...within(CONTAINER, 'hook-runs/hook-order.ts', 'hook-runs/hook-ends.ts'),
      ...within(CONTAINER, 'hook-runs/plan-point.ts'),
    ],
    tests: [CONTAINER, ...within(CONTAINER, 'hooksd', 'hook-runs')],
    floor: 90,
  },
  {
    name: 'pipeline',
    mutated: [
      ...within(`${PIPELINE}/hooks`, 'decide.ts', 'contract.ts', 'glob.ts', 'leftovers.ts'),
      ...within(`${PIPELINE}/hooks`, 'list-intents.ts', 'plan-lines.ts', 'hook-failure.ts'),
      ...within(`${PIPELINE}/hooks`, 'select-containers.ts', 'environment.ts'),
    ],
    tests: [`${PIPELINE}/hooks`],
    floor: 90,
  },
  {
    // Excludes files with side effects: they watch, ask for permissions, record events and serve webhooks.
    name: 'controller',
    mutated: [
      ...within('src/controller', 'conditions.ts', 'event-correlator.ts', 'expectations.ts'),
      ...within('src/controller', 'fenced-client.ts', 'finalizers.ts', 'informer.ts'),
      ...within('src/controller', 'kube-time.ts', 'lease-record.ts', 'lease-term.ts', 'lease.ts'),
      ...within('src/controller', 'manager.ts', 'object-cache.ts', 'only-leader.ts'),
      ...within('src/controller', 'other-leases.ts', 'own-writes.ts'),
      ...within('src/controller', 'reconcile.ts', 'same-json.ts', 'unchanged-spec.ts'),
      ...within('src/controller', 'work-queue.ts', 'write-status.ts'),
    ],
    tests: ['src/controller'],
    floor: 90,
  },
  {
    // Runs the tests of the lifecycles' schemas too, because the mutated code defines their kinds.
    name: 'definitions',
    mutated: ['src/controller/definitions'],
    tests: [
      'src/controller/definitions',
      ...within('src/lifecycles', 'snapshot/schema', 'rollout/schema'),
    ],
    floor: 90,
  },
  {
    // Excludes command.ts, whose tests start processes.
    name: 'handlers',
    mutated: [
      ...within('src/handlers', 'act.ts', 'bounded-work.ts', 'exec.ts', 'http-get.ts', 'limits.ts'),
      ...within('src/handlers', 'output-tail.ts', 'pod-network.ts', 'refused-address.ts'),
    ],
    tests: [
      ...within(
        'src/handlers',
        'act.test.ts',
        'bounded-work.test.ts',
        'exec.test.ts',
        'http-get.test.ts',
      ),
      ...within('src/handlers', 'limits.test.ts', 'output-tail.test.ts', 'pod-network.test.ts'),
      ...within('src/handlers', 'refused-address.test.ts'),
    ],
    floor: 90,
  },
  {
    name: 'admission',
    mutated: ['src/controller/admission'],
    tests: ['src/controller/admission'],
    floor: 90,
  },
  {
    // The controller code with side effects: it watches, asks for permissions and records events.
    name: 'controller-acts',
    mutated: [
      ...within('src/controller', 'ask-permissions.ts', 'controller.ts', 'controller-event.ts'),
      ...within('src/controller', 'event-recorder.ts', 'indexes.ts'),
      ...within('src/controller', 'leadership.ts', 'read-once.ts', 'served-kind.ts'),
      ...within('src/controller', 'shared-informers.ts'),
    ],
    tests: ['src/controller'],
    floor: 90,
  },
  ...parserModules,
];
