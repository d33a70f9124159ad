/** Apps that act for a user: the consent screen, and the list in the settings. */
export const connectedAppsTexts = {
  consent: {
    title: (app: string) => `${app} wants to use your account`,
    /** The tab's title before the app's name is known. */
    tab: 'Connect an app',
    signedInAs: (who: string) => `Signed in as ${who}`,
    switch: 'Use another account',
    switchFailed: 'You could not be signed out',
    /** What every app can do, regardless of its scopes. */
    can: (app: string) => `${app} could`,
    act: (site: string) =>
      `Use ${site} as you: read what you can read, messages included, and post, comment, and write messages`,
    cannot: "It can't pay, withdraw money, see your ID documents, or change how you sign in.",
    /** The target of the redirect after either answer. */
    leadsTo: (host: string) => `Allow it only if you trust ${host}, where both buttons lead.`,
    undo: 'You can take this back in Settings at any time.',
    allow: 'Allow',
    cancel: 'Cancel',
    failed: 'Your answer could not be sent',
    leaving: (host: string) => `Taking you to ${host}…`,
    loadFailed: 'The request could not be loaded',
    /** Why the request can't be decided. */
    refused: {
      closed: {
        title: 'This request is no longer open',
        message: 'It was already answered, or it expired after ten minutes. Go back to the app and start again.',
      },
      unknown: {
        title: 'This app is not known here',
        message: 'It may have been removed. Nothing was shared with it.',
      },
      broken: {
        title: "The app's request has a mistake",
        message: 'Only the people who make the app can fix that. Nothing was shared with it.',
      },
      busy: {
        title: 'Too many requests',
        message: 'Wait a few minutes, then go back to the app and start again.',
      },
    },
    home: 'Back to home',
  },
  scopes: {
    openid: 'Recognize you when you come back',
    profile: 'See your username, display name, and picture',
    email: 'See your email address',
    phone: 'See your phone number',
  } as Readonly<Record<string, string>>,
  settings: {
    title: 'Connected apps',
    message: 'Apps that you let use your account.',
    empty: 'No app can use your account.',
    loadFailed: 'Your connected apps could not be loaded',
    allowed: (date: string) => `Allowed on ${date}`,
    remove: (app: string) => `Remove ${app}`,
    removeShort: 'Remove',
    dialog: {
      title: (app: string) => `Remove ${app}?`,
      message: 'It loses access to your account at once. It keeps what it has already read.',
      confirm: 'Remove',
    },
    done: (app: string) => `${app} can no longer use your account`,
    failed: 'The app could not be removed',
  },
} as const
