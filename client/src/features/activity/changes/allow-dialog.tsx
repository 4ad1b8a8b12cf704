import { Select, TextInput } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { mostCounted } from '#shared/features/provider-changes/names.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { auth } from '#client/lib/auth.ts'
import { messageOf } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { kinds, type Change } from './search.ts'
import type { ProviderChangeWords } from './use-provider-change-words.ts'

const everything = 'all'

/** Creates a rule for changes like this one, and says how many that wait for a review it concerns. */
export function AllowDialog({
  change,
  accounts,
  words,
  onClose,
}: {
  change: Change
  accounts: readonly Account[] | undefined
  words: ProviderChangeWords
  onClose: () => void
}) {
  const { t } = useTranslation('provider-changes')
  const userId = auth.use().user?.id
  const ownerId = accounts?.find(({ id }) => id === change.account.id)?.ownerId
  const [kind, setKind] = useState<Change['kind'] | null>(change.kind)
  /** The account, a group of its owner, or all accounts. */
  const [where, setWhere] = useState(change.account.id)
  const [reason, setReason] = useState('')
  const groups = (trpc.groups.list.useQuery({}).data?.groups ?? [])
    .filter((group) => group.ownerId === ownerId && allows(group.shared, 'manage'))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const groupId = groups.some(({ id }) => id === where) ? where : null
  const accountId = where === change.account.id ? where : null
  const scope = { actor: change.actor.name, kind, accountId, groupId }
  const matching = trpc.providerChanges.countAllowed.useQuery(scope, { placeholderData: keepPreviousData, staleTime: 0 })
  const allow = trpc.providerChanges.allow.useMutation({ meta: { failure: false } })
  const submit = async (): Promise<void> => {
    try {
      const { reviewed } = await allow.mutateAsync({ ...scope, reason })
      toast.success(t('allow.done'), t('review.done', counted(reviewed)))
      onClose()
      await readAgain('providerChanges')
    } catch {
      // Shown in the form.
    }
  }
  const places = [
    { value: change.account.id, label: t('allow.in_account', { account: change.account.name }) },
    ...groups.map(({ id, name }) => ({ value: id, label: t('allow.in_group', { group: name }) })),
    ...(ownerId === userId ? [{ value: everything, label: t('allow.everywhere') }] : []),
  ]
  const count = matching.data?.changes
  return (
    <Dialog onClose={onClose} title={t('allow.title')} size={460}>
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, submit)}>
        <p className="size-13 secondary">{t('allow.text', { author: words.author(change) })}</p>
        <Select
          label={t('column.kind')}
          data={[...kinds.map((value) => ({ value, label: words.kind(value) })), { value: everything, label: t('allow.all_kinds') }]}
          value={kind ?? everything}
          onChange={(next) => setKind(kinds.find((each) => each === next) ?? null)}
          allowDeselect={false}
        />
        <Select
          label={t('allow.where')}
          data={places}
          value={where}
          onChange={(next) => setWhere(next ?? change.account.id)}
          allowDeselect={false}
          searchable
        />
        <TextInput
          label={t('allow.reason')}
          placeholder={t('allow.reason_example')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={300}
          autoComplete="off"
        />
        <p className="size-13 secondary" role="status">
          {matching.isError
            ? messageOf(matching.error)
            : count === undefined
              ? '…'
              : count >= mostCounted
                ? t('allow.matching_most', counted(count))
                : t('allow.matching', counted(count))}
        </p>
        <FormEnd
          refusal={allow.error === null ? null : messageOf(allow.error)}
          action={t('allow.action')}
          busy={allow.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
