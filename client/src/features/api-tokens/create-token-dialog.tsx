import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TokenScope } from '#shared/features/api-tokens/schema.ts'
import { formatDate } from '#client/lib/format.ts'
import { useForm } from '#client/lib/forms.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { trpc } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { useCopy } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { UsdInput } from '#client/ui/form/usd-input.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import forms from '#client/ui/form/form.module.css'
import classes from './api-tokens.module.css'

const DateField = lazyPart(async () => (await import('#client/ui/form/date-field.tsx')).DateField)

const lives = ['30', '90', '365', 'date', 'never'] as const
type Life = (typeof lives)[number]
const scopes = ['read', 'write', 'buy'] as const

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
/** The local end of the selected day. */
const endOf = (day: string): string => (day === '' ? '' : new Date(`${day}T23:59:59`).toISOString())

const firstChoice = (): { name: string; scope: TokenScope; spendLimitUsd: number | null; expiresAt: string | null } => ({
  name: '',
  scope: 'read',
  spendLimitUsd: null,
  expiresAt: inDays(90),
})

/** Creates a token and shows it once. */
export function CreateTokenDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const { t } = useTranslation('api-tokens')
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Dialog
      onClose={onClose}
      title={t(secret === null ? 'form.title' : 'made.title')}
      size={480}
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
      withCloseButton={secret === null}
    >
      {secret === null ? (
        <CreateForm
          onCreated={(made) => {
            setSecret(made)
            onCreated()
          }}
          onClose={onClose}
        />
      ) : (
        <Made secret={secret} onClose={onClose} />
      )}
    </Dialog>
  )
}

function CreateForm({ onCreated, onClose }: { onCreated: (secret: string) => void; onClose: () => void }) {
  const { t } = useTranslation(['api-tokens', 'common'])
  // The response contains the token, so it is not cached.
  const create = trpc.apiTokens.create.useMutation({ gcTime: 0, meta: { failure: false } })
  const [life, setLife] = useState<Life>('90')
  const [day, setDay] = useState('')
  const form = useForm({
    initial: firstChoice(),
    schema: async () => (await import('#shared/features/api-tokens/schema.ts')).createTokenInput,
    onSubmit: async (input) => onCreated((await create.mutateAsync(input)).secret),
  })
  const { scope, expiresAt } = form.values
  const choose = (next: Life): void => {
    setLife(next)
    form.set('expiresAt', next === 'never' ? null : next === 'date' ? endOf(day) : inDays(Number(next)))
  }
  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <TextInput
        {...form.text('name')}
        label={t('form.name')}
        description={t('form.name_help')}
        autoComplete="off"
        required
        data-autofocus
      />
      <div className={`column gap-4 top size-13 medium ${classes['choice']}`}>
        <span>{t('form.scope')}</span>
        <SegmentedControl
          aria-label={t('form.scope')}
          value={scope}
          onChange={(value) => {
            const selected = scopes.find((each) => each === value) ?? 'read'
            form.merge({ scope: selected, ...(selected !== 'buy' && { spendLimitUsd: null }) })
          }}
          data={scopes.map((value) => ({ value, label: t(`scope.${value}`) }))}
        />
        <span className={`size-13 muted pretty ${classes['muted']}`}>{t(`scope_help.${scope}`)}</span>
      </div>
      {scope === 'buy' ? (
        <UsdInput
          name="spendLimitUsd"
          label={t('form.spend_limit')}
          description={t('form.spend_limit_help')}
          value={form.values.spendLimitUsd}
          error={form.errors['spendLimitUsd']}
          required
          onChange={(value) => form.set('spendLimitUsd', value)}
        />
      ) : null}
      <div className={forms['pair']}>
        <NativeSelect
          label={t('form.life')}
          value={life}
          onChange={(event) => choose(lives.find((each) => each === event.currentTarget.value) ?? '90')}
          data={lives.map((value) => ({ value, label: t(`life.${value}`) }))}
          description={life === 'date' || expiresAt === null ? undefined : t('form.until', { date: formatDate(expiresAt) })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={life === 'date' ? undefined : form.errors['expiresAt']}
        />
        {life === 'date' ? (
          <Suspense fallback={<Skeleton height={56} />}>
            <DateField
              label={t('form.day')}
              placeholder={t('form.choose_date')}
              value={day}
              error={form.errors['expiresAt']}
              onChange={(selected) => {
                setDay(selected)
                form.set('expiresAt', endOf(selected))
              }}
            />
          </Suspense>
        ) : null}
      </div>
      {life === 'never' ? <p className="size-13 warn pretty">{t('form.endless_help')}</p> : null}
      <FormEnd action={t('create')} busy={form.submitting} stays onCancel={onClose} />
    </form>
  )
}

function Made({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation(['api-tokens', 'common'])
  const { copied, copy } = useCopy()
  return (
    <div className="column gap-16">
      <p className="size-13 secondary pretty">{t('made.text')}</p>
      <code className={`framed size-13 anywhere code on-sunken ${classes['secret']}`} aria-label={t('made.label')}>
        {secret}
      </code>
      <Button
        variant="default"
        leftSection={copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
        onClick={() => void copy(secret)}
        data-autofocus
      >
        {t(copied ? 'common:copied' : 'made.copy')}
      </Button>
      <p className="size-13 secondary pretty">
        {t('made.use')} <code className="size-12 code">Authorization: Bearer …</code>
      </p>
      <div className={forms['actions']}>
        <Button onClick={onClose}>{t('made.done')}</Button>
      </div>
    </div>
  )
}
