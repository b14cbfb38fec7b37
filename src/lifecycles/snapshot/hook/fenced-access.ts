import { UnreachableError } from '../../../kube/api-error.ts';
import { notStarted } from '../../../kube/exec-result.ts';
import type { ContainerAccess } from '../context.ts';

/**
 * Container access of one term: before each command, probe and session it checks whether this process may still act
 * (SNAP-I14). Minutes may pass between the intent of an attempt and its command if the process is suspended, and
 * another process may lead by then. If the check fails, nothing is sent, and the attempt reports that.
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
