import { createSerializer } from '#server/platform/serialize-by-key.ts'

/**
 * Serializes the changes of one zone in this process, so that each starts from the result of the one before. Between processes the final
 * comparison with the mirror decides.
 */
export const serializeZoneChanges = createSerializer()
