import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePastedNames } from '#client/features/domains/lookup/index.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { useGroupActions } from './mutations.ts'
import { useMovable } from './queries.ts'
import classes from './groups.module.css'

/** Adds domains from a pasted list; the parsed names are shown immediately, line by line. */
export function PasteDomains({ group, onAdded }: { group: Group; onAdded: () => void }) {
  const { t } = useTranslation('groups')
  const { text, setText, tooMany, failed, results, ...pasted } = usePastedNames()
  const actions = useGroupActions()
  const movable = useMovable(group)
  // The look-up of an administrator finds domains of all owners; a group accepts only those of its owner.
  const options = trpc.domains.filterOptions.useQuery({ ownerId: group.ownerId })
  const accounts = useMemo(() => new Set(options.data?.accounts.map(({ id }) => id)), [options.data])
  const read = results.map(({ given, line, state, domain, others }) => {
    const ours = [...(domain === null ? [] : [domain]), ...others].filter(({ accountId }) => accounts.has(accountId))
    const ids = ours.filter(movable.allows).map(({ id }) => id)
    return {
      given,
      line,
      ids,
      state: state !== 'ours' || ids.length > 0 ? state : ours.length > 0 ? ('locked' as const) : ('absent' as const),
    }
  })
  const ids = [...new Set(read.flatMap((one) => one.ids))]
  const settled = pasted.settled && !options.isPending

  const add = async (): Promise<void> => {
    try {
      await actions.addZones(group.id, ids)
      onAdded()
    } catch {
      // The toast has reported it.
    }
  }
  return (
    <form
      className={`column gap-16 ${classes['form']}`}
      onSubmit={(event) =>
        handleSubmit(event, () => {
          if (settled && ids.length > 0 && !actions.busy) void add()
        })
      }
    >
      <TextPaste
        label={t('paste.label')}
        help={t('paste.help')}
        placeholder={'shop.example\nблог.рф\nhttps://www.landing.example/'}
        value={text}
        onChange={setText}
        error={tooMany !== null ? t('paste.too_many', { formatted: formatNumber(tooMany) }) : failed ? t('failed.domains') : undefined}
        faults={
          settled
            ? read
                .filter(({ state }) => state !== 'ours')
                .map(({ line, given, state }) => ({
                  number: line,
                  tone: state === 'repeated' ? ('warn' as const) : ('bad' as const),
                  text: `${given}: ${t(`paste.state.${state === 'repeated' || state === 'invalid' || state === 'locked' ? state : 'absent'}`)}`,
                }))
            : []
        }
        summary={settled ? t('paste.found', counted(ids.length)) : t('paste.reading')}
        rows={9}
      />
      <div className="row wrap gap-8 end">
        <span className="grow">
          <span className="size-12 muted">{t('domains.moves')}</span>
        </span>
        <Button type="submit" disabled={!settled || ids.length === 0} loading={actions.busy}>
          {ids.length === 0 ? t('domains.add') : t('domains.add_count', counted(ids.length))}
        </Button>
      </div>
    </form>
  )
}
