import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { makeVariants, type VariantParts } from '#shared/features/registrars/buying/variants.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { changeDraft, draft, type VariantFields } from './draft.ts'
import { namesAtMost } from './offers.ts'
import { readNames } from './read-names.ts'
import classes from './buying.module.css'

const joints = ['plain', 'hyphen', 'both'] as const
const separators = { plain: [''], hyphen: ['-'], both: ['', '-'] } as const satisfies Record<VariantFields['joint'], readonly string[]>
const shownAtMost = 6

const listOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((part) => part !== '')
const partsOf = ({ words, prefixes, suffixes, zones, from, to, joint }: VariantFields): VariantParts => ({
  // A line break or a comma separates words; a space separates the parts of a word.
  words: words.split(/[\n,;]+/),
  prefixes: listOf(prefixes),
  suffixes: listOf(suffixes),
  zones: listOf(zones),
  numbers: from === '' || to === '' ? null : { from, to },
  separators: separators[joint],
})

/** Generates names from words, parts and zones, and adds them to the list. */
export function VariantsForm() {
  const { t } = useTranslation(['buying', 'common'])
  const { variants: fields, text } = draft.use()
  const shown = useDeferredValue(fields)
  const listed = useDeferredValue(text)
  const made = useMemo(() => {
    const { names, cut } = makeVariants(partsOf(shown), namesAtMost)
    const there = new Set(readNames(listed).names.map(({ name }) => name))
    const { names: read } = readNames(names.join('\n'))
    return { names: read.filter(({ name }) => !there.has(name)).map(({ given }) => given), cut, all: read.length }
  }, [shown, listed])
  const change = (part: Partial<VariantFields>): void => changeDraft({ variants: { ...draft.get().variants, ...part } })
  const field = (name: Exclude<keyof VariantFields, 'joint'>) => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  })
  const count = made.names.length

  return (
    <form
      className="column card gap-14 shrink p-16"
      onSubmit={(event) =>
        handleSubmit(event, () => {
          if (count === 0) return
          changeDraft({ text: [draft.get().text.trimEnd(), ...made.names].filter((line) => line !== '').join('\n') })
        })
      }
    >
      <h2>{t('variants.title')}</h2>
      <Textarea
        {...field('words')}
        label={t('variants.words')}
        description={t('variants.words_help')}
        placeholder="coffee, red apple"
        rows={2}
        autosize
        maxRows={6}
      />
      <TextInput {...field('zones')} label={t('variants.zones')} placeholder="com, net, ru" classNames={{ input: 'mono' }} />
      <div className={`grid gap-14 start halves ${classes['pair']}`}>
        <TextInput {...field('prefixes')} label={t('variants.prefixes')} placeholder="my, go, the" />
        <TextInput {...field('suffixes')} label={t('variants.suffixes')} placeholder="shop, club" />
      </div>
      <div className={`grid gap-14 start halves ${classes['pair']}`}>
        <div className="grid gap-8 halves" role="group" aria-label={t('variants.numbers')}>
          <TextInput {...field('from')} label={t('variants.from')} placeholder="01" inputMode="numeric" maxLength={6} />
          <TextInput {...field('to')} label={t('variants.to')} placeholder="20" inputMode="numeric" maxLength={6} />
        </div>
        <div className={`column gap-8 shrink ${classes['block']}`}>
          <span className="size-13 medium secondary">{t('variants.joint')}</span>
          <SegmentedControl
            fullWidth
            aria-label={t('variants.joint')}
            value={fields.joint}
            onChange={(joint) => change({ joint: joints.find((each) => each === joint) ?? 'plain' })}
            data={joints.map((value) => ({ value, label: t(`variants.joints.${value}`) }))}
          />
        </div>
      </div>
      <p className="size-12 line-18 muted anywhere h-36" role="status">
        {made.all === 0 ? (
          t('variants.none')
        ) : count === 0 ? (
          t('variants.all_there')
        ) : (
          <>
            <bdi className="mono">{made.names.slice(0, shownAtMost).join(', ')}</bdi>
            {count > shownAtMost ? ` ${t('common:and_more', counted(count - shownAtMost))}` : null}
            {made.cut ? ` ${t('variants.cut', { most: formatNumber(namesAtMost) })}` : null}
          </>
        )}
      </p>
      <Button type="submit" variant="default" disabled={count === 0} leftSection={<IconPlus size={15} stroke={2} aria-hidden />}>
        {count === 0 ? t('variants.add_none') : t('variants.add', counted(count))}
      </Button>
    </form>
  )
}
