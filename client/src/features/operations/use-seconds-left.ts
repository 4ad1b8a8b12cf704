import { useEffect, useRef, useState } from 'react'
import type { Operation } from '#shared/features/operations/schema.ts'
import { finishedItems, secondsLeft, type PaceSince } from './operation-progress.ts'

/** Estimated remaining seconds at the pace observed here, excluding pauses and waiting after a canary. */
export function useSecondsLeft(operation: Operation, nowMs: number): number | null {
  const running = operation.state === 'running'
  const [since, setSince] = useState<PaceSince | null>(null)
  const latest = useRef({ operation, nowMs })
  useEffect(() => {
    latest.current = { operation, nowMs }
  })
  useEffect(() => {
    setSince(running ? { ms: latest.current.nowMs, finished: finishedItems(latest.current.operation) } : null)
  }, [running])
  return since === null ? null : secondsLeft(operation, since, nowMs)
}
