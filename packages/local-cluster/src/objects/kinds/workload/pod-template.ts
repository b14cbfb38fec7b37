/** Templates on their own: data for programs that make pods. */
import { formatRequirements } from '../../selector.ts';
import { NAME, NONE, templateColumns, text } from '../columns.ts';
import { textMapAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkTemplate, dropGatedInTemplate, fillTemplate } from './template.ts';

export const podTemplate: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  generationOf: ['template'],
  columns: [
    NAME,
    ...templateColumns('template').map((column) => ({ ...column, priority: 0 })),
    text('Pod Labels', (object) => {
      const labels = Object.entries(textMapAt(object, 'template', 'metadata', 'labels'));
      return (
        formatRequirements(
          labels.map(([key, value]) => ({ key, operator: '=', values: [value] })),
        ) || NONE
      );
    }),
  ],
  fill(draft) {
    fillTemplate(draft, ['template']);
  },
  onCreate(draft, context) {
    dropGatedInTemplate(draft, { path: ['template'], old: undefined, context });
  },
  onUpdate(draft, old, context) {
    dropGatedInTemplate(draft, { path: ['template'], old, context });
  },
  check(object, old, context) {
    const restartPolicies = ['Always', 'OnFailure', 'Never'];
    return checkTemplate({ object, old, context, path: ['template'], restartPolicies });
  },
};
