/** Spans for the tests of the page: a bad morning in a shop, and examples with any number of spans. */
import type { Bar } from '../../src/timeline/bar.ts';

const SECOND_MS = 1_000;

type Given = Pick<Bar, 'id' | 'lifecycle' | 'lane' | 'point' | 'name'> & Partial<Bar>;

/** `from` and `to` are in seconds before now. `to` is null for a span that is still open. */
export function bar(
  nowMs: number,
  [from, to]: readonly [number, number | null],
  given: Given,
): Bar {
  return {
    kind: 'hook',
    run: given.lane,
    attempt: 1,
    startMs: nowMs - from * SECOND_MS,
    endMs: to === null ? null : nowMs - to * SECOND_MS,
    outcome: to === null ? 'Running' : 'Succeeded',
    ...given,
  };
}

/** Twenty-seven spans on ten targets, with two failures, one closed freeze window and one open freeze window. */
export function badMorning(nowMs: number): readonly Bar[] {
  return [...pipeline(nowMs), ...rollout(nowMs), ...snapshot(nowMs), ...machine(nowMs)];
}

function pipeline(nowMs: number): readonly Bar[] {
  const web = { lifecycle: 'pipeline', lane: 'build/leeroy-web', run: 'session 8f2c' } as const;
  const deploy = { lifecycle: 'pipeline', lane: 'deploy/kubectl', run: 'session 8f2c' } as const;
  return [
    bar(nowMs, [118, 96], {
      ...web,
      id: 'p0',
      kind: 'phase',
      point: 'build',
      name: 'build',
      attempt: null,
    }),
    bar(nowMs, [118, 115.2], {
      ...web,
      id: 'p1',
      point: 'build before',
      name: 'npm run generate',
      where: 'skaffold.yaml:14:11',
    }),
    bar(nowMs, [98.4, 96.1], { ...web, id: 'p2', point: 'build after', name: 'scan image' }),
    bar(nowMs, [95, 92.4], { ...deploy, id: 'p3', point: 'deploy before', name: 'check quota' }),
    bar(nowMs, [88, 84.9], {
      ...deploy,
      id: 'p4',
      point: 'deploy after',
      name: 'warm the cache',
      outcome: 'Cancelled',
      reason: 'The session was ended with Ctrl-C.',
    }),
    bar(nowMs, [84, 84], {
      ...deploy,
      id: 'p5',
      point: 'deploy after',
      name: 'tell the team',
      outcome: 'Skipped',
      reason: 'The hook before it was cancelled.',
    }),
  ];
}

function rollout(nowMs: number): readonly Bar[] {
  const own = { lifecycle: 'rollout', lane: 'shop/checkout', run: 'revision 42' } as const;
  const phase = { ...own, kind: 'phase', attempt: null } as const;
  return [
    bar(nowMs, [92, null], {
      ...phase,
      id: 'r',
      point: 'forward',
      name: 'revision 42',
    }),
    bar(nowMs, [90, 66], { ...phase, id: 'r0', point: 'pre', name: 'pre' }),
    bar(nowMs, [66, 38], { ...phase, id: 'r1', point: 'mid', name: 'mid' }),
    bar(nowMs, [38, null], { ...phase, id: 'r2', point: 'post', name: 'post' }),
    bar(nowMs, [88, 79], {
      ...own,
      id: 'r3',
      point: 'pre',
      name: 'migrate',
      outcome: 'Failed',
      exitCode: 3,
      reason: 'The migration was refused: the table "orders" is locked by another session.',
      where: 'DeploymentLifecycle shop/checkout',
      stderr:
        'lock timeout after 8000 ms\nERROR: relation "orders" is locked\n  at migrate.sql:41\n',
      stdout: 'checking schema version ... 17\napplying 0018_orders_index.sql\n',
      evidence: { policy: 'Retry', deadline: '10 min', 'next attempt': 'after 4 s' },
      next: 'kubectl -n shop get hookruns -l lifehook.dev/rollout=checkout',
    }),
    bar(nowMs, [75, 67], {
      ...own,
      id: 'r4',
      point: 'pre',
      name: 'migrate',
      attempt: 2,
      exitCode: 0,
    }),
    bar(nowMs, [60, 42], { ...own, id: 'r5', point: 'mid', name: 'drain queue' }),
    bar(nowMs, [58, 44], { ...own, id: 'r6', point: 'mid', name: 'copy sessions' }),
    bar(nowMs, [36, null], { ...own, id: 'r7', point: 'post', name: 'smoke test' }),
  ];
}

function snapshot(nowMs: number): readonly Bar[] {
  const own = {
    lifecycle: 'snapshot',
    lane: 'shop/orders-0/postgres',
    run: 'nightly-0041',
  } as const;
  const cache = { lifecycle: 'snapshot', lane: 'shop/cache-0/redis', run: 'nightly-0042' } as const;
  return [
    bar(nowMs, [70, 69.2], { ...own, id: 's1', point: 'preAction', name: 'freeze' }),
    bar(nowMs, [69.2, 61.6], {
      ...own,
      id: 's2',
      kind: 'frozen',
      point: 'preAction',
      name: 'frozen',
      attempt: null,
      evidence: {
        verdict: 'ApplicationConsistent',
        'thawed by': 'postAction thaw, attempt 1',
        probes: '38 of 38 held',
      },
    }),
    bar(nowMs, [65.5, 65.5], {
      ...own,
      id: 's3',
      kind: 'cut',
      point: 'cut',
      name: 'cut',
      attempt: null,
    }),
    bar(nowMs, [62.6, 61.6], { ...own, id: 's4', point: 'postAction', name: 'thaw' }),
    bar(nowMs, [14, 12.5], { ...cache, id: 's5', point: 'preAction', name: 'freeze' }),
    bar(nowMs, [12.5, null], {
      ...cache,
      id: 's6',
      kind: 'frozen',
      point: 'preAction',
      name: 'frozen',
      attempt: null,
      reason: 'The snapshot is not ready yet; the dead-man lease thaws it after 60 s.',
      next: 'lifehook snapshot thaw nightly-0042 -n shop',
    }),
  ];
}

function machine(nowMs: number): readonly Bar[] {
  const pod = { lifecycle: 'pod' } as const;
  const container = { lifecycle: 'container', lane: 'web-5f6', run: 'c0ffee' } as const;
  return [
    bar(nowMs, [54, 46], {
      ...pod,
      id: 'd1',
      lane: 'shop/web-5f6',
      point: 'preStop',
      name: 'sleep 8',
    }),
    bar(nowMs, [51, 43], {
      ...pod,
      id: 'd2',
      lane: 'shop/web-7aa',
      point: 'preStop',
      name: 'sleep 8',
      outcome: 'Unknown',
      reason: 'The node was restarted before the hook ended.',
    }),
    bar(nowMs, [34, 33], {
      ...pod,
      id: 'd3',
      lane: 'shop/worker-1',
      point: 'postStart',
      name: 'register',
      outcome: 'Failed',
      exitCode: 1,
      reason: 'register: connection refused',
    }),
    bar(nowMs, [47, 46.7], { ...container, id: 'c1', point: 'prestart', name: 'mount secrets' }),
    bar(nowMs, [46.6, 46.2], {
      ...container,
      id: 'c2',
      point: 'createRuntime',
      name: 'nvidia toolkit',
    }),
    bar(nowMs, [20, 18], {
      ...container,
      id: 'c3',
      lane: 'worker-1',
      point: 'poststop',
      name: 'sweep',
    }),
  ];
}

/** A thaw that is overdue, and a rollout that is held. */
export function troubled(nowMs: number): readonly Bar[] {
  return [
    bar(nowMs, [400, null], {
      id: 't1',
      lifecycle: 'snapshot',
      lane: 'shop/billing-0/mysql',
      run: 'hourly',
      kind: 'frozen',
      point: 'frozen',
      name: 'frozen',
      attempt: null,
      reason: 'The thaw has failed so far: exit code 1',
      evidence: { thaw: 'overdue' },
      next: 'thaw billing-0/mysql by hand, then: lifehook snapshot release -n shop hourly-0 --by YOU',
    }),
    bar(nowMs, [300, 250], {
      id: 't2',
      lifecycle: 'rollout',
      lane: 'shop/cart',
      run: 'rollout 7',
      kind: 'phase',
      point: 'forward',
      name: 'rollout 7',
      attempt: null,
      outcome: 'Failed',
      reason: 'The hook pre failed 3 times: exit code 3.',
      evidence: { phase: 'Held' },
      next: 'lifehook rollout retry -n shop cart',
    }),
  ];
}

/** `count` spans, one second apart, with a target for each hundred spans. Every fiftieth span has failed. */
export function manyBars(nowMs: number, count: number): readonly Bar[] {
  const lifecycles = ['pipeline', 'rollout', 'snapshot', 'pod', 'container'] as const;
  return Array.from({ length: count }, (_, index) => {
    const target = index % Math.max(Math.floor(count / 100), 1);
    const from = count - index;
    return bar(nowMs, [from, from - 0.4 - (index % 7) / 2], {
      id: `many-${index}`,
      lifecycle: lifecycles[target % lifecycles.length] ?? 'pod',
      lane: `shop/app-${target}`,
      run: `run-${Math.floor(index / 50)}`,
      point: 'preStop',
      name: `hook ${index}`,
      kind: index % 211 === 0 ? 'frozen' : 'hook',
      outcome: index % 50 === 0 ? 'Failed' : 'Succeeded',
    });
  });
}

const RUN_SECONDS = 20;

/** `count` runs of preStop hooks, 20 seconds apart, with a track for each ten runs. Every fortieth run has failed. */
export function manyRuns(nowMs: number, count: number): readonly Bar[] {
  const lifecycles = ['pipeline', 'rollout', 'snapshot', 'pod', 'container'] as const;
  const tracks = Math.ceil(count / 10);
  return Array.from({ length: count }, (_, index) => {
    const from = 120 + (count - index) * RUN_SECONDS;
    const track = index % tracks;
    const hasFailed = index % 40 === 7;
    return bar(nowMs, [from, from - 2 - (index % 9)], {
      id: `run-${index}`,
      lifecycle: lifecycles[track % lifecycles.length] ?? 'pod',
      lane: `shop-${track % 4}/service-${track}`,
      run: `run-${index}`,
      point: 'preStop',
      name: 'drain',
      outcome: hasFailed ? 'Failed' : 'Succeeded',
      ...(hasFailed ? { exitCode: 1, reason: 'drain: the queue still has 41 messages' } : {}),
    });
  });
}
