import { messageTexts } from '@ovation/contract/texts/messages'
import type { MessageFileType } from './queries.ts'

const words = { image: messageTexts.photo, video: messageTexts.video, audio: messageTexts.voice }

/** What stands for a message that is one file: `"Photo"`, `"Video"`, `"Voice message"`. */
export const fileWord = (type: MessageFileType = 'image'): string => words[type]
