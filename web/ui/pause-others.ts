/** Pauses the videos and voice messages that play elsewhere on the screen. */
export function pauseOthers(playing?: HTMLMediaElement): void {
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) if (media !== playing) media.pause()
}
