import { UnreachableError } from '../../../kube/api-error.ts';
import { notStarted } from '../../../kube/exec-result.ts';
import type { ContainerAccess } from '../context.ts';

/**
 * The way into containers of one term: before each command, question and session it asks whether this process
 * may still act (SNAP-I14). Minutes may lie between the intent of an attempt and its command, if the process is
 * stopped meanwhile, and another may lead by then. Nothing is sent, and the attempt is told so.
 */
export function fencedAccess(access: ContainerAccess, mayAct: () => boolean): ContainerAccess {
  const { secretsOf } = access;
  const refusal = (): UnreachableError => new UnreachableError(WHY, { sent: false });
  return {
    ...(secretsOf === undefined ? {} : { secretsOf }),
    exec: async (options) => (mayAct() ? access.exec(options) : notStarted('NotLeader', WHY)),
    openExec: async (options) => {
      if (!mayAct()) throw refusal();
      return access.openExec(options);
    },
    network: {
      httpGet: async (request) => {
        if (!mayAct()) throw refusal();
        return access.network.httpGet(request);
      },
      tcpConnect: async (target) => {
        if (!mayAct()) throw refusal();
        return access.network.tcpConnect(target);
      },
    },
  };
}

const WHY = 'this process is not the leader any more, or cannot prove it';
