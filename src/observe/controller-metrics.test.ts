import { expect, it } from 'vitest';

import { makeControllerMetrics } from './controller-metrics.ts';

it('makeControllerMetrics counts passes, waiting keys and spans', async () => {
  const metrics = makeControllerMetrics();
  metrics.observeController({
    type: 'PassEnded',
    controller: 'execution-hooks',
    key: 'shop/h',
    outcome: { kind: 'done' },
    durationMs: 3,
    againInMs: null,
    depth: 4,
  });
  metrics.observeSpans('SpansDropped', 3);
  const { type, text } = await metrics.expose();
  expect(type).toContain('text/plain');
  expect(text).toContain('lifehook_trace_spans_total{outcome="dropped"} 3');
  expect(text).toContain('lifehook_queue_depth{controller="execution-hooks"} 4');
  const passes = 'lifehook_pass_seconds_count{controller="execution-hooks",outcome="done"} 1';
  expect(text).toContain(passes);
});
