/** A user who changes the sample's widgets and their children directly on the server. */
import { configMaps } from '../../../src/kube/resources.ts';
import type { Random } from '../random.ts';
import { type Widget, widgets } from './sample-controller.ts';
import type { SimApi, Stored } from './sim-api.ts';

const NAMES = ['a', 'b', 'c'] as const;
const NAMESPACE = 'work';

export function editSomething(api: SimApi, random: Random): void {
  const name = random.pick(NAMES);
  const found = api.find(widgets, { namespace: NAMESPACE, name });
  if (found === undefined) {
    const spec = { children: random.between(0, 5) };
    const widget: Widget = { metadata: { namespace: NAMESPACE, name }, spec };
    api.create(widgets, widget);
    return;
  }
  if (random.chance(0.2)) {
    api.delete(widgets, { namespace: NAMESPACE, name }, {});
    return;
  }
  if (random.chance(0.4)) {
    harmChild(api, random);
    return;
  }
  if (found.metadata.deletionTimestamp !== undefined) return;
  const spec = { children: random.between(0, 5) };
  const edited: Widget = { metadata: found.metadata, spec };
  api.replace(widgets, edited, 'object');
}

function harmChild(api: SimApi, random: Random): void {
  const children = api.list(configMaps);
  const child: Stored | undefined = children[random.between(0, children.length - 1)];
  if (child === undefined) return;
  const { namespace = '', name = '' } = child.metadata;
  if (random.chance(0.5)) api.delete(configMaps, { namespace, name }, {});
  else
    api.replace(
      configMaps,
      { ...child, metadata: { ...child.metadata, labels: { x: '1' } } },
      'object',
    );
}
