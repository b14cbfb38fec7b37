import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { describe, expect, it } from 'vitest';

import { MAX_ENDPOINTS, type Placed, planSlices, type WantedSlices } from './slices.ts';

const placed = (count: number, port = 80): Placed[] =>
  Array.from({ length: count }, (_, index) => ({
    ports: [{ name: '', port, protocol: 'TCP' }],
    endpoint: { addresses: [`10.0.${port % 256}.${index}`], conditions: { ready: true } },
  }));

const wanted = (endpoints: readonly Placed[]): WantedSlices => ({
  addressType: 'IPv4',
  labels: {},
  endpoints,
});

const stored = (plan: ReturnType<typeof planSlices>): EndpointSlice[] =>
  plan.create.map((body, index) => ({
    ...body,
    metadata: { name: `slice-${index}`, labels: {} },
  }));

describe('planSlices', () => {
  it('creates one empty slice for a service without endpoints, and nothing when it exists', () => {
    const plan = planSlices(wanted([]), []);
    expect(plan.create).toEqual([{ addressType: 'IPv4', endpoints: [], ports: [] }]);
    expect(planSlices(wanted([]), stored(plan))).toEqual({ create: [], update: [], remove: [] });
  });

  it('fills slices up to their limit, and creates one for each set of ports', () => {
    const all = [...placed(MAX_ENDPOINTS + 1), ...placed(1, 81)];
    const sizes = planSlices(wanted(all), []).create.map(({ endpoints }) => endpoints.length);
    expect(sizes).toEqual([MAX_ENDPOINTS, 1, 1]);
  });

  it('updates only one slice when one endpoint is removed', () => {
    const all = placed(MAX_ENDPOINTS + 5);
    const slices = stored(planSlices(wanted(all), []));
    const plan = planSlices(wanted(all.slice(1)), slices);
    expect(plan.create).toEqual([]);
    expect(plan.remove).toEqual([]);
    expect(plan.update.map(({ metadata }) => metadata?.name)).toEqual(['slice-0']);
  });

  it('removes slices of another address type and of unused ports', () => {
    const slices = stored(planSlices(wanted([...placed(1), ...placed(1, 81)]), []));
    const other = { ...wanted(placed(1)), addressType: 'IPv6' };
    expect(planSlices(other, slices).remove).toHaveLength(2);
    expect(planSlices(wanted(placed(1)), slices).remove).toHaveLength(1);
  });
});
