/** Kinds that were removed before the oldest version of version-history.json, with the first version without each. */
const GROUPS: readonly (readonly [number, string, readonly string[]])[] = [
  [
    16,
    'extensions/v1beta1',
    ['DaemonSet', 'Deployment', 'NetworkPolicy', 'PodSecurityPolicy', 'ReplicaSet'],
  ],
  [16, 'apps/v1beta1', ['ControllerRevision', 'Deployment', 'StatefulSet']],
  [
    16,
    'apps/v1beta2',
    ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  ],
  [21, 'batch/v2alpha1', ['CronJob']],
  [
    22,
    'admissionregistration.k8s.io/v1beta1',
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  ],
  [22, 'apiextensions.k8s.io/v1beta1', ['CustomResourceDefinition']],
  [22, 'apiregistration.k8s.io/v1beta1', ['APIService']],
  [22, 'authentication.k8s.io/v1beta1', ['TokenReview']],
  [
    22,
    'authorization.k8s.io/v1beta1',
    ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SubjectAccessReview'],
  ],
  [22, 'certificates.k8s.io/v1beta1', ['CertificateSigningRequest']],
  [22, 'coordination.k8s.io/v1beta1', ['Lease']],
  [22, 'extensions/v1beta1', ['Ingress']],
  [22, 'networking.k8s.io/v1beta1', ['Ingress', 'IngressClass']],
  [
    22,
    'rbac.authorization.k8s.io/v1alpha1',
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ],
  [
    22,
    'rbac.authorization.k8s.io/v1beta1',
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ],
  [22, 'scheduling.k8s.io/v1beta1', ['PriorityClass']],
  [22, 'storage.k8s.io/v1beta1', ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment']],
  [25, 'batch/v1beta1', ['CronJob']],
  [25, 'discovery.k8s.io/v1beta1', ['EndpointSlice']],
  [25, 'events.k8s.io/v1beta1', ['Event']],
  [25, 'autoscaling/v2beta1', ['HorizontalPodAutoscaler']],
  [25, 'node.k8s.io/v1beta1', ['RuntimeClass']],
  [25, 'policy/v1beta1', ['PodDisruptionBudget', 'PodSecurityPolicy']],
  [26, 'autoscaling/v2beta2', ['HorizontalPodAutoscaler']],
  [26, 'flowcontrol.apiserver.k8s.io/v1beta1', ['FlowSchema', 'PriorityLevelConfiguration']],
  [27, 'storage.k8s.io/v1beta1', ['CSIStorageCapacity']],
  [29, 'flowcontrol.apiserver.k8s.io/v1beta2', ['FlowSchema', 'PriorityLevelConfiguration']],
];

const REMOVED: ReadonlyMap<string, number> = new Map(
  GROUPS.flatMap(([minor, apiVersion, kinds]) =>
    kinds.map((kind) => [`${apiVersion}/${kind}`, minor] as const),
  ),
);

/** Minor version; undefined: the kind is not one of those. */
export function removedIn(apiVersion: string, kind: string): number | undefined {
  return REMOVED.get(`${apiVersion}/${kind}`);
}

/** The successor of a kind, if it has another name. */
export const SUCCESSORS: Readonly<Record<string, string>> = {
  PodSecurityPolicy: 'Use the Pod Security labels of the namespace.',
};
