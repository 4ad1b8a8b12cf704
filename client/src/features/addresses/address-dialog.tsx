import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OriginAddress } from '#shared/features/addresses/schema.ts'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { PreviewDialog } from '#client/features/operations/index.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { AddressDomains } from './address-domains.tsx'
import { MoveForm } from './move-form.tsx'
import classes from './addresses.module.css'

/** The domains of an address, with the option to move all of them to another. `moves` opens the move form first. */
export function AddressDialog({
  origin,
  ownerId,
  moves = false,
  onClose,
}: {
  origin: OriginAddress
  /** Only domains of this owner. */
  ownerId?: string | undefined
  moves?: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('addresses')
  const navigate = useNavigate()
  const [moving, setMoving] = useState(moves)
  const [move, setMove] = useState<{ to: string; preview: OperationPreview } | null>(null)
  return (
    <>
      <Dialog
        opened={move === null}
        onClose={onClose}
        size={620}
        keepMounted
        title={
          <span className={`flex wrap baseline shrink anywhere ${classes['dialogTitle']}`}>
            <bdi className="mono" dir="ltr">
              {origin.address}
            </bdi>
            <span className="fixed size-12 regular secondary code">{origin.type}</span>
          </span>
        }
        styles={{ title: { minWidth: 0 } }}
      >
        {moving ? (
          <MoveForm origin={origin} ownerId={ownerId} onPreview={setMove} onBack={() => setMoving(false)} />
        ) : (
          <AddressDomains origin={origin} ownerId={ownerId} onMove={() => setMoving(true)} />
        )}
      </Dialog>
      {move === null ? null : (
        <ErrorBoundary onFail={() => setMove(null)}>
          <Suspense>
            <PreviewDialog
              title={t('move.title', { from: origin.address, to: move.to })}
              preview={move.preview}
              suggestTrial
              onBack={() => setMove(null)}
              onStarted={() => {
                onClose()
                void navigate({ to: '/operations/$id', params: { id: move.preview.operation.id } })
              }}
              onClose={onClose}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}
