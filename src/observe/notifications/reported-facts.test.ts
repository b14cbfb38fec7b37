import { expect, it } from 'vitest';

import type { Notification } from '../../model/event.ts';
import { KEPT_MAX, ReportedFacts } from './reported-facts.ts';

const about = { type: 'thaw.overdue', state: 'open', message: 'late' } as const;
const fact = (id: string): Notification => ({ ...about, id, problem: `p${id}` });

it('keeps the newest of a bounded number of delivered facts and open problems', () => {
  const reported = new ReportedFacts(() => false);
  for (let count = 0; count <= KEPT_MAX; count += 1) {
    const accepted = reported.accept(fact(`${count}`));
    if (accepted !== null) reported.delivered(accepted);
  }
  const { ids, open } = reported.stored();
  expect([ids.length, Object.keys(open).length]).toEqual([KEPT_MAX, KEPT_MAX]);
  expect(Object.keys(open)).not.toContain('p0');
  expect(reported.accept(fact('0'))).not.toBeNull();
  expect(reported.accept(fact(`${KEPT_MAX}`))).toBeNull();
});

it('stores nothing that is only accepted', () => {
  const reported = new ReportedFacts(() => false);
  reported.accept(fact('1'));
  expect(reported.stored()).toEqual({ ids: [], open: {} });
});
