import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type { CreateOptions, Group, GroupInput, GroupPatch, QueryOf, RequestOptions } from '../types.ts';

/** `client.groups`: groups of users, for the policies of tasks. Scope: `users:manage`. */
export class Groups {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a group. */
  async create(group: GroupInput, options?: CreateOptions): Promise<Group> {
    return readData(await this.#transport.send(api.create('/api/groups', group, options)));
  }

  /** Lists the groups of the account, newest first. */
  list(query?: QueryOf<'listGroups'>, options?: RequestOptions): Pager<Group> {
    return new Pager(this.#transport, api.get('/api/groups', query, options));
  }

  /** Returns one group. */
  async get(groupId: string, options?: RequestOptions): Promise<Group> {
    return readData(await this.#transport.send(api.get(pathOf(groupId), undefined, options)));
  }

  /** Changes a group. `members` replaces all members. */
  async update(groupId: string, changes: GroupPatch, options?: RequestOptions): Promise<Group> {
    return readData(await this.#transport.send(api.patch(pathOf(groupId), changes, options)));
  }

  /** Deletes a group that no form uses. */
  async delete(groupId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(pathOf(groupId), options));
  }
}

function pathOf(groupId: string): string {
  return api.path('/api/groups/{}', groupId);
}
