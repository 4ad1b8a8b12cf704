import { ActionIcon, Button } from '@mantine/core'
import { IconDots, IconFileExport, IconFileImport, IconPlus, IconRefresh } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import { formatRelative } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'

/** Actions on all records or on none. */
export const RecordsActions = memo(function RecordsActions({
  domainId,
  readAt,
  refreshing,
  onRefresh,
  onImport,
  onAdd,
}: {
  domainId: string
  readAt: string | null
  refreshing: boolean
  onRefresh: () => void
  onImport: () => void
  onAdd: () => void
}) {
  const { t } = useTranslation(['records', 'common'])
  const utils = trpc.useUtils()
  const locked = useLock()('operate')
  const exportFile = (): void =>
    void utils.records.exportFile.fetch({ id: domainId }, { staleTime: 0 }).then(
      (file) => saveFile(file.fileName, 'text/plain', file.text),
      (error: unknown) => toast.failure(error, t('failed.export')),
    )
  return (
    <div className="row gap-8 fixed">
      <ActionIcon
        variant="default"
        size={32}
        aria-label={t('refresh')}
        disabled={locked !== null}
        title={
          locked ?? [t('refresh'), readAt === null ? null : `${t('common:fresh.at')} ${formatRelative(readAt)}`].filter(Boolean).join('\n')
        }
        loading={refreshing}
        onClick={onRefresh}
      >
        <IconRefresh size={15} stroke={1.8} />
      </ActionIcon>
      <MenuButton
        position="bottom-end"
        width={240}
        button={
          <ActionIcon variant="default" size={32} aria-label={t('file.label')} title={t('file.label')}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item
              disabled={locked !== null}
              title={locked ?? undefined}
              leftSection={<IconFileImport size={15} stroke={1.7} />}
              onClick={onImport}
            >
              {t('file.import')}
            </Menu.Item>
            <Menu.Item leftSection={<IconFileExport size={15} stroke={1.7} />} onClick={exportFile}>
              {t('file.export')}
            </Menu.Item>
          </>
        )}
      </MenuButton>
      <Button
        leftSection={<IconPlus size={15} stroke={2} />}
        disabled={locked !== null}
        title={locked ?? t('add_hint')}
        aria-keyshortcuts="n"
        onClick={onAdd}
      >
        {t('add')}
      </Button>
    </div>
  )
})
