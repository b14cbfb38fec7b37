/** The objects of a collection that a request selects: its labelSelector, fieldSelector and namespace. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { textMapAt } from '../../../../src/kube/fields.ts';
import { matchesFields, parseFieldSelector } from '../objects/selector-field.ts';
import { matchesRequirements, parseLabelSelector } from '../objects/selector.ts';
import { asServed, type RequestScope } from './context.ts';
import { badRequest } from './status.ts';

export interface Selection {
  /** Undefined: all namespaces, or a kind without. */
  readonly namespace: string | undefined;
  /** Every object is selected. */
  readonly everything: boolean;
  readonly matches: (object: JsonObject) => boolean;
}

export function readSelection({ definition, info, request }: RequestScope): Selection {
  const labels = parseLabelSelector(request.query.get('labelSelector') ?? '');
  if (!labels.ok) throw badRequest(labels.message);
  const fields = parseFieldSelector(request.query.get('fieldSelector') ?? '', definition);
  if (!fields.ok) throw badRequest(fields.message);
  return {
    namespace: definition.namespaced && info.namespace !== '' ? info.namespace : undefined,
    everything: labels.requirements.length === 0 && fields.terms.length === 0,
    matches: (object) =>
      matchesRequirements(labels.requirements, textMapAt(object, 'metadata', 'labels')) &&
      matchesFields(fields.terms, asServed(definition, object), definition),
  };
}
