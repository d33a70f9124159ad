/** Where the channels of one topic meet. */
export type Room = `private ${string}` | `public ${string}`

export const roomOf = (topic: string, isPrivate: boolean): Room => `${isPrivate ? 'private' : 'public'} ${topic}`

export const topicOf = (room: Room): string => room.slice(room.indexOf(' ') + 1)
