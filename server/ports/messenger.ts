/** Brings a message to a chat. */

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
  /** Ask again then. */
  | { readonly state: 'later'; readonly afterSeconds: number; readonly wholeBot: boolean }
  /** The chat has become another one: keep the new id and send again. */
  | { readonly state: 'moved'; readonly chatId: string }
  /** It will not be taken while nobody changes something: the token (`unauthorized`), the chat (`chat_not_found`, `blocked`), or the message (`refused`). */
  | { readonly state: 'refused'; readonly reason: 'unauthorized' | 'chat_not_found' | 'blocked' | 'refused'; readonly message: string }
  /** Nobody knows whether it arrived: no answer after it was sent. */
  | { readonly state: 'unknown'; readonly message: string }
  /** It certainly was not sent. */
  | { readonly state: 'unreached'; readonly message: string }

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

/** A bot by its token. The token is in no error, log or stack that leaves it. */
export interface Messenger {
  /** @returns the bot's name without the @, or why the token is no good. */
  whoAmI(token: string): Promise<{ readonly name: string } | { readonly refused: 'unauthorized' | 'unreached'; readonly message: string }>
  send(token: string, message: ChatMessage): Promise<Delivery>
  /** Answers a pressed button with a short text, and puts other buttons below the message where given. */
  answer(
    token: string,
    press: { readonly callbackId: string; readonly chatId: string; readonly messageId: string; readonly text: string },
    buttons?: ChatMessage['buttons'],
  ): Promise<void>
  /** Waits up to `waitSeconds` for what people wrote; `after` is the last update that was dealt with. Throws where it cannot. */
  poll(token: string, after: number | null, waitSeconds: number, signal: AbortSignal): Promise<readonly BotUpdate[]>
  close(): Promise<void>
}
