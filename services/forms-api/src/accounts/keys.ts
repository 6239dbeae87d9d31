import { AppError, validationFailed, type KeyIn, type PageQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import {
  newApiKey,
  type ApiKeyRecord,
  type ChainFinder,
  type InvitationRecord,
  type RightsOf,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { insertOnce } from '@svcforms/records';
import { keyOut } from './account-out.ts';
import { checkRights } from './grants.ts';

interface KeysDeps {
  keys: Collection<ApiKeyRecord>;
  invitations: Pick<Collection<InvitationRecord>, 'deleteMany'>;
  rights: RightsOf;
  chain: Pick<ChainFinder, 'personOf'>;
  now: Clock;
}

/** API keys of the caller's account. docs/reference/authentication.md#api-keys */
export function createKeys({ keys, invitations, rights, chain, now }: KeysDeps) {
  return {
    create: async ({ body, caller, newId, note, audit }: RouteRequest<unknown, KeyIn>): Promise<Reply> => {
      const wanted = { scopes: new Set(body.scopes), isOwner: false };
      checkRights(caller, await rights.ofCaller(caller), wanted, 'The key');
      const { expiresAt = null } = body;
      if (expiresAt !== null && Date.parse(expiresAt) <= now()) {
        throw validationFailed([{ pointer: '/expiresAt', message: 'must be in the future' }]);
      }
      const { record, key } = newApiKey({
        id: newId('key'),
        accountId: caller.accountId,
        name: body.name,
        scopes: body.scopes,
        expiresAt,
        createdBy: {
          id: caller.id,
          authority: await rights.authorityFrom(caller),
          userId: await chain.personOf(caller),
          // The user may be deleted, or be about to be.
          isReviewer: caller.memberOf !== undefined,
        },
        now: now(),
      });
      const stored = await insertOnce(keys, record);
      if (stored !== record) {
        // The first response was lost, so nobody has its key. This one replaces it.
        await keys.updateOne({ _id: record._id }, { $set: { hash: record.hash, last4: record.last4 } });
      }
      note({ event: 'key.created', keyId: record._id });
      audit({ changes: changesBetween({}, stored, { names: ['name', 'scopes', 'expiresAt'] }) });
      return {
        data: { ...keyOut({ ...stored, last4: record.last4 }), key },
        headers: { Location: `/api/keys/${record._id}` },
      };
    },

    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { items, pagination } = await findPage(
        keys,
        { accountId: caller.accountId },
        { prefix: 'key', ...query },
      );
      return { data: items.map(keyOut), pagination };
    },

    remove: async ({ params, caller, note, audit }: PathRequest<'keyId'>): Promise<Reply> => {
      const _id = params.keyId;
      const key = await keys.findOne({ _id, accountId: caller.accountId });
      if (!key) throw noKey();
      checkRights(caller, await rights.ofCaller(caller), await rights.ofKeyRecord(key), 'The key');
      const userId = await chain.personOf({ id: _id, createdBy: key.createdBy ?? undefined });
      // Keys of older versions don't have it, and it couldn't be found without the deleted key.
      if (userId !== undefined) await keys.updateMany({ createdBy: _id, userId: null }, { $set: { userId } });
      if (!(await keys.deleteOne({ _id }))) throw noKey();
      audit({ target: { name: key.name } });
      await invitations.deleteMany({ invitedBy: _id });
      note({ event: 'key.deleted', keyId: _id });
      return {};
    },
  };
}

const noKey = () => new AppError('NOT_FOUND', 'There is no such key');
