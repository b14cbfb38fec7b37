/**
 * Collects the scripts: sequences of writes by several managers, which run on the real server and by our functions.
 *
 * Not covered are owners of an empty object, references, selectors, objects in fields without a schema, and the order
 * of items in applied lists.
 */
import { configMapStories } from './apply-config-maps.ts';
import { exampleStories } from './apply-examples.ts';
import type { Script, Story } from './apply-steps.ts';
import { deploymentStories, podStories, serviceStories } from './apply-workloads.ts';

function scripts(kind: Script['kind'], stories: readonly Story[]): Script[] {
  return stories.map(([title, ...steps]) => ({ title, kind, steps }));
}

export const SCRIPTS: readonly Script[] = [
  ...scripts('ConfigMap', configMapStories),
  ...scripts('Deployment', deploymentStories),
  ...scripts('Service', serviceStories),
  ...scripts('Pod', podStories),
  ...scripts('Example', exampleStories),
];
