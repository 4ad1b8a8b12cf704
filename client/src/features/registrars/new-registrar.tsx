import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

const Dialog = lazyPart(async () => (await import('./registrar-dialog.tsx')).RegistrarDialog)

/** Creates a missing registrar where one is selected, and returns it. */
export function NewRegistrar({ onCreated }: { onCreated: (registrar: Registrar) => void }) {
  const { t } = useTranslation('registrars')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} stroke={2} />}
        onClick={() => setOpen(true)}
      >
        {t('add')}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <Dialog onSaved={onCreated} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
