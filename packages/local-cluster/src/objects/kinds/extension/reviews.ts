/** Kinds that are questions: a create is answered at once by the API layer, and nothing is stored. */
import type { KindSpec } from '../kind-spec.ts';

const AUTHORIZATION = 'authorization.k8s.io';
const AUTHENTICATION = 'authentication.k8s.io';

export const reviewKinds: readonly KindSpec[] = [
  { ...review(AUTHORIZATION, 'LocalSubjectAccessReview'), namespaced: true },
  review(AUTHORIZATION, 'SubjectAccessReview'),
  review(AUTHORIZATION, 'SelfSubjectAccessReview'),
  review(AUTHORIZATION, 'SelfSubjectRulesReview'),
  review(AUTHENTICATION, 'SelfSubjectReview'),
  review(AUTHENTICATION, 'TokenReview'),
];

function review(group: string, kind: string): KindSpec {
  return {
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: false,
    verbs: ['create'],
    columns: [],
  };
}
