import 'media-chrome/media-control-bar'
import 'media-chrome/media-controller'
import 'media-chrome/media-fullscreen-button'
import 'media-chrome/media-loading-indicator'
import 'media-chrome/media-mute-button'
import 'media-chrome/media-pip-button'
import 'media-chrome/media-play-button'
import 'media-chrome/media-time-display'
import 'media-chrome/media-time-range'
import 'media-chrome/media-volume-range'
import 'media-chrome/menu/media-captions-menu'
import 'media-chrome/menu/media-captions-menu-button'
import 'media-chrome/menu/media-chrome-menu-item'
import 'media-chrome/menu/media-playback-rate-menu'
import 'media-chrome/menu/media-playback-rate-menu-button'
import classes from './video-controls.module.css'

export type VideoControlsProps = { /** Whether the video has captions. */ captions: boolean }

/** The speeds that a viewer can choose. */
const rates = '0.5 0.75 1 1.25 1.5 2'

/**
 * The controls of `VideoPlayer`, inside its `media-controller` (LOOP-12): play, sound, position, captions, speed, picture-in-picture, and
 * full screen. The element also listens to keys: Space or K plays, arrows move by 10 seconds, M mutes, C switches captions, F fills the screen.
 */
export default function VideoControls({ captions }: VideoControlsProps) {
  return (
    <>
      <media-loading-indicator slot="centered-chrome" noautohide="" />
      {captions && <media-captions-menu hidden anchor="auto" className={classes.menu} />}
      <media-playback-rate-menu hidden anchor="auto" rates={rates} className={classes.menu} />
      <media-control-bar className={classes.bar}>
        <media-play-button notooltip="" />
        <media-mute-button notooltip="" className={classes.sound} />
        <media-volume-range className={classes.volume} />
        <media-time-range />
        <media-time-display showduration="" className={classes.time} />
        {captions && <media-captions-menu-button notooltip="" className={classes.captions} />}
        <media-playback-rate-menu-button notooltip="" className={classes.speed} />
        <media-pip-button notooltip="" className={classes.pip} />
        <media-fullscreen-button notooltip="" />
      </media-control-bar>
    </>
  )
}
