/** The words by which claims, volumes and their makers know each other, as on any cluster. */
export const DRIVER = 'lifehook.dev/local';
export const DEFAULT_CLASS_NAME = 'local';

export const IS_DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const PVC_PROTECTION = 'kubernetes.io/pvc-protection';
export const PV_PROTECTION = 'kubernetes.io/pv-protection';
