import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#shared/features/groups/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

const Dialog = lazyPart(async () => (await import('./group-dialog.tsx')).GroupDialog)

/** Creates a missing group where a group is selected, and returns it. */
export function NewGroup({ onCreated }: { onCreated: (group: Group) => void }) {
  const { t } = useTranslation('groups')
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
