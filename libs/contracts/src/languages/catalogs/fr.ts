import type { Catalog } from './words.ts';

/** French, with vous. */
export const fr: Catalog = {
  browser: {
    submit: 'Envoyer',
    back: 'Retour',
    next: 'Suivant',
    step: 'Étape {n} sur {total}',
    close: 'Fermer',
    decline: 'Non, merci',
    thanks: 'Merci',
    failed: 'Une erreur s’est produite. Vos réponses sont conservées\u00a0: veuillez réessayer.',
    required: 'Veuillez remplir ce champ.',
    email: 'Veuillez saisir une adresse e-mail valide.',
    url: 'Veuillez saisir une adresse web valide.',
    number: 'Veuillez saisir un nombre.',
    min: 'Veuillez saisir une valeur supérieure ou égale à {n}.',
    max: 'Veuillez saisir une valeur inférieure ou égale à {n}.',
    earliest: 'Valeur minimale acceptée\u00a0: {n}.',
    latest: 'Valeur maximale acceptée\u00a0: {n}.',
    date: 'Veuillez saisir une date valide.',
    time: 'Veuillez saisir une heure valide.',
    minLength: {
      one: 'Veuillez saisir au moins {n} caractère.',
      other: 'Veuillez saisir au moins {n} caractères.',
    },
    maxLength: {
      one: 'Veuillez saisir au maximum {n} caractère.',
      other: 'Veuillez saisir au maximum {n} caractères.',
    },
    choose: 'Veuillez sélectionner une option.',
    chooseSome: 'Veuillez sélectionner au moins une option.',
    check: 'Veuillez cocher cette case pour continuer.',
    consent: 'Veuillez donner votre accord pour continuer.',
  },
  noScript: 'Ce formulaire nécessite JavaScript.',
  missingTitle: 'Ce formulaire n’existe pas',
  missingText: 'Il a peut-être été supprimé.',
  newText: 'Ce texte a changé. Veuillez recharger la page pour le lire.',
  invalidValue: 'Cette valeur n’est pas valide.',
  invalid: 'Veuillez vérifier vos réponses. Si le formulaire a changé, veuillez recharger la page.',
  origin: 'Ce formulaire ne peut pas être envoyé depuis cette page.',
};
