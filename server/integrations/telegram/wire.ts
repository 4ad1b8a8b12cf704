import { z } from 'zod'

// Telegram's Bot API (core.telegram.org/bots/api, read 2026-11): the parts used by the panel. Other fields are omitted.

const chat = z.looseObject({ id: z.number() })
const person = z.looseObject({ id: z.number(), first_name: z.string().optional(), username: z.string().optional() })

export const message = z.looseObject({
  message_id: z.number(),
  chat,
  message_thread_id: z.number().optional(),
  is_topic_message: z.boolean().optional(),
  from: person.optional(),
  text: z.string().optional(),
})

export const update = z.looseObject({
  update_id: z.number(),
  message: message.optional(),
  callback_query: z
    .looseObject({
      id: z.string(),
      from: person,
      message: z.looseObject({ message_id: z.number(), chat }).optional(),
      data: z.string().optional(),
    })
    .optional(),
})
export type Update = z.infer<typeof update>

export const bot = z.looseObject({ id: z.number(), is_bot: z.literal(true), first_name: z.string(), username: z.string() })

/** Parameters of `sendMessage`. */
export const sendMessage = z.strictObject({
  chat_id: z.union([z.number(), z.string()]),
  message_thread_id: z.number().optional(),
  text: z.string(),
  parse_mode: z.literal('HTML'),
  disable_notification: z.boolean().optional(),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
  reply_markup: z
    .strictObject({
      inline_keyboard: z.array(
        z.array(
          z.union([z.strictObject({ text: z.string(), callback_data: z.string() }), z.strictObject({ text: z.string(), url: z.string() })]),
        ),
      ),
    })
    .optional(),
})

/** Parameters of `editMessageText`. */
export const editMessageText = sendMessage.omit({ message_thread_id: true, disable_notification: true }).extend({ message_id: z.number() })

/** Error response. */
export const refusal = z.looseObject({
  ok: z.literal(false),
  error_code: z.number(),
  description: z.string(),
  parameters: z.looseObject({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
})
