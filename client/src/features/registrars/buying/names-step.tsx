import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePastedFaults } from '#client/features/domains/index.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { startCheck } from './check-store.ts'
import { changeDraft, draft } from './draft.ts'
import { namesAtMost, noChoices } from './offers.ts'
import { readNames } from './read-names.ts'
import { SellerPicker } from './seller-picker.tsx'
import { UnboundNote } from './unbound-note.tsx'
import type { Sellers } from './use-sellers.ts'
import { VariantsForm } from './variants-form.tsx'
import classes from './buying.module.css'

/** The wanted names, and the registrars to check. */
export function NamesStep({
  sellers,
  ours,
  onAsked,
}: {
  sellers: Sellers
  /** The accounts of names that are already in the panel. */
  ours: ReadonlyMap<string, string | null>
  onAsked: () => void
}) {
  const { t } = useTranslation('buying')
  const { text } = draft.use()
  const [problem, setProblem] = useState<'names' | 'sellers' | null>(null)
  const shown = useDeferredValue(text)
  const read = useMemo(() => readNames(shown), [shown])
  const wanted = useMemo(() => read.names.filter(({ name }) => (ours.get(name) ?? null) === null), [read, ours])
  const faults = usePastedFaults(read.faults, read.names, ours)
  const over = wanted.length > namesAtMost

  const ask = (): void => {
    // The displayed list may lag behind the input.
    const asked = readNames(draft.get().text).names.filter(({ name }) => (ours.get(name) ?? null) === null)
    if (asked.length === 0 || asked.length > namesAtMost) return setProblem('names')
    if (sellers.selected.length === 0) return setProblem('sellers')
    changeDraft({ choices: noChoices })
    startCheck(
      asked.map(({ name, given }) => ({ name, displayName: given })),
      sellers.selected,
    )
    onAsked()
  }

  return (
    <div className={`grid start ${classes['names']}`}>
      <form
        className={`column gap-8 shrink ${classes['block']}`}
        onSubmit={(event) => handleSubmit(event, ask)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask()
        }}
      >
        <TextPaste
          label={t('names.label')}
          help={t('names.help', { most: formatNumber(namesAtMost) })}
          placeholder={'example.com\nexample.net'}
          value={text}
          rows={14}
          onChange={(next) => {
            setProblem(null)
            changeDraft({ text: next })
          }}
          error={
            over
              ? t('names.too_many', { most: formatNumber(namesAtMost) })
              : problem === 'names'
                ? t(text.trim() === '' ? 'names.enter' : 'names.none_good')
                : undefined
          }
          faults={faults}
          summary={[
            t('names.understood', counted(wanted.length)),
            ...(faults.length === 0 ? [] : [t('names.left_out', counted(faults.length))]),
          ].join(' · ')}
        />
        <SellerPicker sellers={sellers} />
        {problem === 'sellers' && sellers.selected.length === 0 ? (
          <p role="alert" className="size-12 bad">
            {t('sellers.select')}
          </p>
        ) : null}
        <Button type="submit" className={classes['ask'] ?? ''} leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}>
          {t('names.check')}
        </Button>
      </form>
      <div>
        <VariantsForm />
        <UnboundNote />
      </div>
    </div>
  )
}
