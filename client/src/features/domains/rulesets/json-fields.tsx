import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleDraft } from './rule-draft.ts'
import type { Parameters } from './read-json.ts'

type Field = 'actionParameters' | 'ratelimit'

/** The parameters of a rule as JSON, with Cloudflare's names, for everything that has no field. */
export function JsonFields({
  actionParameters,
  ratelimit,
  errors,
  onReadable,
  onChange,
}: Pick<RuleDraft, Field> & {
  errors: Readonly<Record<string, string>>
  /** Whether the text is valid; otherwise the last valid parameters stay. */
  onReadable: (isReadable: boolean) => void
  onChange: (part: Partial<Pick<RuleDraft, Field>>) => void
}) {
  const { t } = useTranslation('rulesets')
  const [texts, setTexts] = useState<Record<Field, string>>({
    actionParameters: JSON.stringify(actionParameters ?? {}, null, 2),
    ratelimit: JSON.stringify(ratelimit ?? {}, null, 2),
  })
  const fields: readonly Field[] = ratelimit === null ? ['actionParameters'] : ['actionParameters', 'ratelimit']
  const set = (field: Field, text: string): void => {
    const next = { ...texts, [field]: text }
    setTexts(next)
    onReadable(fields.every((each) => readObject(next[each]) !== null))
    const read = readObject(text)
    if (read !== null) onChange({ [field]: read })
  }
  const errorOf = (field: Field): string | undefined => {
    if (readObject(texts[field]) === null) return t('form.json_invalid')
    const found = Object.entries(errors).find(([path]) => path === field || path.startsWith(`${field}.`))
    return found && `${found[0]}: ${found[1]}`
  }
  return fields.map((field) => (
    <Textarea
      key={field}
      label={t(`form.json.${field}`)}
      name={field}
      classNames={{ input: 'mono' }}
      spellCheck={false}
      autosize
      minRows={4}
      maxRows={16}
      value={texts[field]}
      error={errorOf(field)}
      onChange={(event) => set(field, event.currentTarget.value)}
    />
  ))
}

function readObject(text: string): Parameters | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parameters) : null
  } catch {
    return null
  }
}
