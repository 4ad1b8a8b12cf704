import { Anchor, Button } from '@mantine/core'
import { IconExternalLink, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '#client/lib/trpc.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { TokenList } from './token-list.tsx'
import forms from '#client/ui/form/form.module.css'

/** API tokens that act for the user (R-AUT-07). */
export function ApiTokensSection() {
  const { t } = useTranslation('api-tokens')
  const utils = trpc.useUtils()
  const [creating, setCreating] = useState(false)

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
      <TokenList />
      <div className={forms['actions']}>
        <Button variant="default" leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setCreating(true)}>
          {t('create')}
        </Button>
      </div>
      {creating ? <CreateTokenDialog onCreated={() => void utils.apiTokens.list.invalidate()} onClose={() => setCreating(false)} /> : null}
    </FormSection>
  )
}
