/** What a creator's prices start from and which tips they take (DASH-03, PROF-21, D28). */
export const monetizationTexts = {
  title: 'Prices and tips',
  hint: 'What a new post or message starts with. You can change each price before it goes out.',
  ppvPrice: 'Price of a pay-per-view post',
  messagePrice: 'Price of a paid message',
  priceHint: 'In USD. Leave it empty to be asked each time.',
  takesTips: 'Take tips',
  takesTipsHint: 'Off: nobody can tip you, on your profile or under your posts.',
  tipMin: 'Smallest tip',
  tipMinHint: 'In USD, from $1.00 to $500.00',
  presets: 'Suggested tips',
  presetsHint: 'One to four amounts in USD, with commas between them',
  submit: 'Save',
  saved: 'Prices and tips saved',
  failed: 'Prices and tips could not be saved',
  errors: {
    price: 'Enter a price from $1.00 to $9,999.99, or nothing',
    tipMin: 'Enter an amount from $1.00 to $500.00',
    presets: (smallest: string) => `Enter one to four different amounts from ${smallest} to $500.00`,
  },
  /** In the dialog of a tip. */
  noTips: (name: string) => `${name} does not take tips at the moment.`,
  amountHint: (smallest: string) => `From ${smallest} to $500.00`,
  amountWrong: (smallest: string) => `Enter an amount from ${smallest} to $500.00`,
} as const
