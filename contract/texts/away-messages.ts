import { awayMessageMaxLength } from '../limits.ts'

/** Away messages and response times (PAGE-03). */
export const awayTexts = {
  /** To fans, in the header of the thread. */
  away: 'Away',
  awayUntil: (day: string) => `Away until ${day}`,
  /** To fans, above the message. */
  isAway: (name: string) => `${name} is away`,
  isAwayUntil: (name: string, day: string) => `${name} is away until ${day}`,
  replies: {
    hour: 'Usually replies within an hour',
    few_hours: 'Usually replies within a few hours',
    day: 'Usually replies within a day',
    few_days: 'Usually replies within a few days',
  },
  /** To the creator. */
  settings: {
    title: 'Messages from fans',
    loadFailed: "Couldn't load your away message",
    isAway: "I'm away",
    isAwayHint: 'Fans see your away message when they open a conversation with you. They can still write.',
    message: 'Away message',
    messageHint: `Up to ${awayMessageMaxLength} characters`,
    lastDay: 'Last day away',
    lastDayHint: 'Optional. Your away message turns off by itself after this day.',
    showsReplyTime: 'Show how soon I reply',
    showsReplyTimeHint: 'Based on your replies in the last 30 days. Hidden while you are away.',
    shown: (words: string) => `Right now: "${words}"`,
    tooFew: "There's nothing to show yet: it needs at least 5 replies, sent within a few days.",
    submit: 'Save',
    saved: 'Message settings saved',
    failed: "Couldn't save your message settings",
    errors: {
      missing: 'Write a message for your fans',
      long: `Use ${awayMessageMaxLength} characters or fewer`,
      lastDay: 'Choose today or a later date',
    },
  },
} as const
