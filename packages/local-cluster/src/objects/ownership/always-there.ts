/**
 * Fields that an object of the real server always has, be it as an empty object or list, because its
 * program's types say so. Nobody adds them, so nobody owns them for it: a Deployment's creator owns
 * `spec.replicas`, not `spec`, but does own `spec.strategy.rollingUpdate`, which can be absent.
 */
import type { FieldsNode } from './node-shape.ts';

/** By the type's name. Beside these: metadata, spec and status of whatever has metadata. */
const ALWAYS_THERE: Readonly<Record<string, readonly string[]>> = {
  Binding: ['target'],
  ClusterRoleBinding: ['roleRef'],
  Container: ['resources'],
  ContainerStatus: ['state', 'lastState'],
  CronJobSpec: ['jobTemplate'],
  CustomResourceDefinitionSpec: ['names'],
  CustomResourceDefinitionStatus: ['acceptedNames', 'conditions'],
  DaemonSetSpec: ['template', 'updateStrategy'],
  DeploymentSpec: ['template', 'strategy'],
  Endpoint: ['conditions'],
  EphemeralContainer: ['resources'],
  Event: ['involvedObject', 'source', 'regarding', 'deprecatedSource'],
  HTTPIngressPath: ['backend'],
  HorizontalPodAutoscalerSpec: ['scaleTargetRef'],
  IngressServiceBackend: ['port'],
  IngressStatus: ['loadBalancer'],
  JobSpec: ['template'],
  MutatingWebhook: ['clientConfig'],
  NodeDaemonEndpoints: ['kubeletEndpoint'],
  NodeStatus: ['daemonEndpoints', 'nodeInfo'],
  PersistentVolumeClaimSpec: ['resources'],
  PodSpec: ['containers'],
  PodTemplate: ['template'],
  PreferredSchedulingTerm: ['preference'],
  ReplicaSetSpec: ['template'],
  RoleBinding: ['roleRef'],
  ServiceStatus: ['loadBalancer'],
  StatefulSetSpec: ['template', 'updateStrategy'],
  ValidatingWebhook: ['clientConfig'],
  VolumeAttachmentSpec: ['source'],
  WeightedPodAffinityTerm: ['podAffinityTerm'],
};

const OF_OBJECTS: readonly string[] = ['metadata', 'spec', 'status'];

/** A type never changes, and every write asks for the same few. */
const known = new WeakMap<FieldsNode, readonly string[]>();

export function alwaysThere(type: FieldsNode): readonly string[] {
  const names = known.get(type) ?? namesFor(type);
  known.set(type, names);
  return names;
}

function namesFor(type: FieldsNode): readonly string[] {
  if (type.kind === 'map' || type.typeName === '') return [];
  const isObject = type.field('metadata') !== undefined;
  const names = [...(isObject ? OF_OBJECTS : []), ...(ALWAYS_THERE[type.typeName] ?? [])];
  return names.filter((name) => type.field(name) !== undefined);
}
