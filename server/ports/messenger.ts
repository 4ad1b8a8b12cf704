/** Sends messages to chats. */

export interface ChatMessage {
  readonly chatId: string
  readonly topicId: number | null
  /** HTML as Telegram knows it, at most 4,096 characters after parsing; `server/features/alerts` escapes. */
  readonly html: string
  /** Rows of buttons; `data` comes back when one is pressed (at most 64 bytes), `url` opens. */
  readonly buttons: readonly (readonly (
    | { readonly text: string; readonly data: string }
    | { readonly text: string; readonly url: string }
  )[])[]
  readonly silent: boolean
}

export type Delivery =
  | { readonly state: 'sent'; readonly messageId: string }
  /** Retry after this time. */
  | { readonly state: 'later'; readonly afterSeconds: number; readonly wholeBot: boolean }
  /** The chat was migrated: store the new id and send again. */
  | { readonly state: 'moved'; readonly chatId: string }
  /**
   * Permanently refused until someone changes the token (`unauthorized`), the chat (`chat_not_found`, `blocked`), or the message
   * (`refused`).
   */
  | { readonly state: 'refused'; readonly reason: 'unauthorized' | 'chat_not_found' | 'blocked' | 'refused'; readonly message: string }
  /** The outcome is unknown: no response after sending. */
  | { readonly state: 'unknown'; readonly message: string }
  /** Certainly not sent. */
  | { readonly state: 'unreached'; readonly message: string }

/** `gone`: the message was deleted or cannot be edited any more. */
export type Edit = Delivery | { readonly state: 'gone'; readonly message: string }

export type BotUpdate =
  | {
      readonly kind: 'command'
      readonly updateId: number
      readonly chatId: string
      readonly topicId: number | null
      readonly from: string
      readonly command: string
      readonly text: string
    }
  | {
      readonly kind: 'button'
      readonly updateId: number
      readonly chatId: string
      readonly from: string
      readonly data: string
      readonly callbackId: string
      readonly messageId: string
    }
  | { readonly kind: 'other'; readonly updateId: number }

/** A bot identified by its token. No error, log or stack contains the token. */
export interface Messenger {
  /** @returns the bot's name without the @, or why the token is invalid. */
  whoAmI(token: string): Promise<{ readonly name: string } | { readonly refused: 'unauthorized' | 'unreached'; readonly message: string }>
  send(token: string, message: ChatMessage): Promise<Delivery>
  /** Replaces the text and the buttons of a sent message; the same content again is `sent` too. */
  edit(token: string, messageId: string, message: ChatMessage): Promise<Edit>
  /** Answers a button press with a short text, and replaces the buttons of the message if given. */
  answer(
    token: string,
    press: { readonly callbackId: string; readonly chatId: string; readonly messageId: string; readonly text: string },
    buttons?: ChatMessage['buttons'],
  ): Promise<void>
  /** Long-polls up to `waitSeconds` for updates; `after` is the last processed update. Throws on failure. */
  poll(token: string, after: number | null, waitSeconds: number, signal: AbortSignal): Promise<readonly BotUpdate[]>
  close(): Promise<void>
}
