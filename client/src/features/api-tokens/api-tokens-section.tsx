import { Anchor, Button } from '@mantine/core'
import { IconExternalLink, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiToken } from '#shared/features/api-tokens/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FormSection } from '#client/ui/form-section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { TokenRow } from './token-row.tsx'
import forms from '#client/ui/form.module.css'
import rows from '#client/ui/row-list.module.css'

/** Tokens with which tools act for a person (R-AUT-07). */
export function ApiTokensSection() {
  const { t } = useTranslation('api-tokens')
  const utils = trpc.useUtils()
  const list = trpc.apiTokens.list.useQuery({}, { staleTime: 0 })
  const revoke = trpc.apiTokens.revoke.useMutation({ meta: { failure: t('failed_revoke') } })
  const [open, setOpen] = useState<{ what: 'create' } | { what: 'revoke'; token: ApiToken } | null>(null)
  const close = (): void => setOpen(null)
  const again = (): Promise<void> => utils.apiTokens.list.invalidate()
  const tokens = list.data?.tokens

  return (
    <FormSection
      title={t('title')}
      text={
        <>
          {t('text')}{' '}
          <Anchor href="/api/docs" target="_blank" rel="noopener" inherit>
            {t('docs')} <IconExternalLink size={12} aria-hidden />
          </Anchor>
        </>
      }
    >
      {list.isError && tokens === undefined ? (
        <ErrorState title={t('failed_load')} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <ul className={rows['list']} aria-busy={list.isPending || undefined} aria-label={t('title')}>
          {tokens === undefined ? (
            <li className={rows['row']}>
              <Skeleton width="50%" />
            </li>
          ) : tokens.length === 0 ? (
            <li className={rows['row']}>
              <span className={rows['about']}>{t('empty')}</span>
            </li>
          ) : (
            tokens.map((token) => <TokenRow key={token.id} token={token} onRevoke={() => setOpen({ what: 'revoke', token })} />)
          )}
        </ul>
      )}
      <div className={forms['actions']}>
        <Button variant="default" leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setOpen({ what: 'create' })}>
          {t('create')}
        </Button>
      </div>
      {open?.what === 'create' ? <CreateTokenDialog onCreated={() => void again()} onClose={close} /> : null}
      {open?.what === 'revoke' ? (
        <ConfirmDialog
          title={t('revoke_title', { name: open.token.name })}
          consequence={t('revoke_text')}
          action={t('revoke')}
          things={1}
          onConfirm={async () => {
            // Revoked meanwhile from elsewhere, it goes from the list all the same.
            await revoke.mutateAsync({ id: open.token.id }).finally(() => void again())
            toast.success(t('revoked'), open.token.name)
          }}
          onClose={close}
        />
      ) : null}
    </FormSection>
  )
}
