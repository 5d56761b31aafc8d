/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words with more weight than others, and words with less, by language.  Folded
 * as in diverge_words.c: lower case, no apostrophes.
 */
#include "mime/diverge.h"

const struct diverge_row diverge_table[] = {
	{ DIVERGE_NOT, "en",
	    "no not never none nobody nothing neither nor without cannot dont "
	    "doesnt didnt wont wouldnt cant couldnt shouldnt mustnt isnt arent "
	    "wasnt werent hasnt havent hadnt aint neednt unless except refuse "
	    "refused reject rejected decline declined deny denied" },
	{ DIVERGE_NOT, "de",
	    "nicht nichts kein keine keinen keinem keiner keines nie niemals "
	    "niemand ohne weder noch nein" },
	{ DIVERGE_NOT, "fr",
	    "ne pas non jamais rien aucun aucune sans ni personne" },
	{ DIVERGE_NOT, "es",
	    "nunca jam\xC3\xA1s sin ni nada nadie ning\xC3\xBAn ninguna "
	    "ninguno tampoco" },
	{ DIVERGE_NOT, "pt",
	    "n\xC3\xA3o nem sem nenhum nenhuma ningu\xC3\xA9m" },
	{ DIVERGE_NOT, "it",
	    "mai senza n\xC3\xA9 nessun nessuno nessuna niente nulla" },
	{ DIVERGE_NOT, "nl", "niet geen nooit niets niemand zonder nee" },
	{ DIVERGE_NOT, "da no sv",
	    "ikke ingen intet aldrig aldri uden uten inte inga inget utan ej "
	    "nej nei" },
	{ DIVERGE_NOT, "fi",
	    "ei en et emme ette eiv\xC3\xA4t \xC3\xA4l\xC3\xA4"
	    " \xC3\xA4lk\xC3\xA4\xC3\xA4 ilman" },
	{ DIVERGE_NOT, "pl",
	    "nie nigdy bez nic nikt \xC5\xBC"
	    "aden" },
	{ DIVERGE_NOT, "cs sk",
	    "ne nen\xC3\xAD nikdy bez nic nikdo \xC5\xBE\xC3\xA1"
	    "dn\xC3\xBD nie" },
	{ DIVERGE_NOT, "hu", "nem nincs soha n\xC3\xA9lk\xC3\xBCl semmi" },
	{ DIVERGE_NOT, "ro", "nu niciodat\xC4\x83 f\xC4\x83r\xC4\x83 nici" },
	{ DIVERGE_NOT, "tr", "de\xC4\x9Fil yok hay\xC4\xB1r asla olmadan" },
	{ DIVERGE_NOT, "vi",
	    "kh\xC3\xB4ng ch\xC6\xB0"
	    "a \xC4\x91\xE1\xBB\xABng" },
	{ DIVERGE_NOT, "id", "tidak bukan jangan tanpa belum" },
	{ DIVERGE_NOT, "ru uk bg",
	    "\xD0\xBD\xD0\xB5 \xD0\xBD\xD0\xB5\xD1\x82 "
	    "\xD0\xB1\xD0\xB5\xD0\xB7 \xD0\xBD\xD0\xB8 \xD0\xBD\xD1\x96 "
	    "\xD0\xBD\xD0\xB8\xD0\xBA\xD0\xBE\xD0\xB3\xD0\xB4\xD0\xB0 "
	    "\xD0\xBD\xD0\xB8\xD1\x87\xD0\xB5\xD0\xB3\xD0\xBE "
	    "\xD0\xBD\xD0\xB5\xD0\xBC\xD0\xB0\xD1\x94 "
	    "\xD0\xBD\xD1\x8F\xD0\xBC\xD0\xB0" },
	{ DIVERGE_NOT, "el",
	    "\xCE\xB4\xCE\xB5\xCE\xBD \xCE\xBC\xCE\xB7 \xCE\xBC\xCE\xB7\xCE\xBD"
	    " \xCF\x8C\xCF\x87\xCE\xB9 "
	    "\xCF\x87\xCF\x89\xCF\x81\xCE\xAF\xCF\x82" },
	{ DIVERGE_NOT, "ar",
	    "\xD9\x84\xD8\xA7 \xD9\x84\xD9\x85 \xD9\x84\xD9\x86 "
	    "\xD9\x84\xD9\x8A\xD8\xB3 \xD8\xBA\xD9\x8A\xD8\xB1 "
	    "\xD8\xA8\xD8\xAF\xD9\x88\xD9\x86" },
	{ DIVERGE_NOT, "he",
	    "\xD7\x9C\xD7\x90 \xD7\x90\xD7\x99\xD7\x9F \xD7\x90\xD7\x9C "
	    "\xD7\x91\xD7\x9C\xD7\x99" },
	{ DIVERGE_NOT, "hi",
	    "\xE0\xA4\xA8\xE0\xA4\xB9\xE0\xA5\x80\xE0\xA4\x82 "
	    "\xE0\xA4\xA8 \xE0\xA4\xAE\xE0\xA4\xA4" },
	{ DIVERGE_NOT, "ko",
	    "\xEC\x95\x88 \xEB\xAA\xBB "
	    "\xEC\x95\x8A\xEC\x8A\xB5\xEB\x8B\x88\xEB\x8B\xA4 "
	    "\xEC\x97\x86\xEC\x8A\xB5\xEB\x8B\x88\xEB\x8B\xA4" },

	{ DIVERGE_NOT, "zh ja",
	    "\xE4\xB8\x8D \xE6\xB2\xA1 \xE6\xB2\x92 \xE6\x97\xA0 "
	    "\xE7\x84\xA1 \xE6\x9C\xAA \xE9\x9D\x9E \xE5\x88\xAB "
	    "\xE5\x8B\xBF \xE3\x82\x93 \xE3\x81\xAC \xE3\x81\x9A" },

	{ DIVERGE_DAY, "en",
	    "january february march april may june july august september "
	    "october november december jan feb mar apr jun jul aug sep sept "
	    "oct nov dec monday tuesday wednesday thursday friday saturday "
	    "sunday mon tue wed thu fri sat sun today tomorrow yesterday "
	    "tonight am pm noon midnight thousand million billion" },
	{ DIVERGE_DAY, "de",
	    "januar februar m\xC3\xA4rz mai juni juli oktober dezember montag "
	    "dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
	    "heute morgen gestern tausend million millionen" },
	{ DIVERGE_DAY, "fr",
	    "janvier f\xC3\xA9vrier mars avril juin juillet ao\xC3\xBBt "
	    "septembre octobre novembre d\xC3\xA9"
	    "cembre lundi mardi mercredi "
	    "jeudi vendredi samedi dimanche aujourdhui demain hier mille" },
	{ DIVERGE_DAY, "es pt",
	    "enero febrero marzo abril mayo junio julio agosto septiembre "
	    "octubre noviembre diciembre lunes martes mi\xC3\xA9rcoles jueves "
	    "viernes s\xC3\xA1"
	    "bado domingo hoy ma\xC3\xB1"
	    "ana ayer janeiro fevereiro mar\xC3\xA7o maio junho julho setembro "
	    "outubro novembro dezembro segunda ter\xC3\xA7"
	    "a quarta quinta "
	    "sexta hoje amanh\xC3\xA3 ontem mil" },
	{ DIVERGE_DAY, "it nl",
	    "gennaio febbraio aprile maggio giugno luglio settembre ottobre "
	    "dicembre luned\xC3\xAC marted\xC3\xAC mercoled\xC3\xAC "
	    "gioved\xC3\xAC venerd\xC3\xAC sabato domenica oggi domani ieri "
	    "januari februari maart mei augustus maandag dinsdag woensdag "
	    "donderdag vrijdag zaterdag zondag vandaag" },
	{ DIVERGE_DAY, "money",
	    "$ \xE2\x82\xAC \xC2\xA3 \xC2\xA5 usd eur gbp chf jpy dollar "
	    "dollars euro euros pound pounds franken yen bitcoin btc" },

	{ DIVERGE_LETTER, "en",
	    "unsubscribe unsubscribed subscribe subscribed subscription "
	    "subscriptions subscriber newsletter newsletters mailing mailings "
	    "browser html click here view online version copyright rights "
	    "reserved privacy policy terms preferences opt trademark "
	    "trademarks display displayed formatted format formats alias "
	    "trouble posted unmonitored automated seeing "
	    "preference formatting image images charset" },
	{ DIVERGE_SENDING, "en",
	    "email emails e-mail mail mailbox program client reader link links "
	    "visit download remove removed receive received receiving "
	    "forwarded forwarding sent message text plain page "
	    "web website url paste copy reply settings profile support "
	    "administrator provider software application member options" },
	{ DIVERGE_LETTER, "de",
	    "abmelden abbestellen newsletters darstellung "
	    "browser online-version impressum datenschutz klicken hier "
	    "erhalten nachricht anzeigen ansehen empfangen" },
	{ DIVERGE_LETTER, "fr",
	    "d\xC3\xA9sabonner d\xC3\xA9sinscrire navigateur cliquez ici "
	    "courriel afficher ligne abonnement lettre" },
	{ DIVERGE_LETTER, "es pt it",
	    "navegador cancelar suscripci\xC3\xB3n darse baja clic aqu\xC3\xAD "
	    "correo ver clique aqui inscri\xC3\xA7\xC3\xA3o visualizar "
	    "disiscriviti qui visualizza boletim e-mails mensagem mensaje" },
	{ DIVERGE_LETTER, "da no sv nl",
	    "nyhetsbrev nyhetsbrevet nyhedsbrev nyhedsbrevet klicka klikk klik "
	    "klikken l\xC3\xA4nk l\xC3\xA4nken lenken koblingen linket "
	    "html-versionen html-versjonen avregistrera avmelde afmelde "
	    "nieuwsbrief uitschrijven afmelden bekijk online-versie "
	    "webbl\xC3\xA4sare nettleser" },
	{ DIVERGE_LETTER, "pl cs ru tr",
	    "newslettera wypisa\xC4\x87 przegl\xC4\x85"
	    "darce kliknij odhl\xC3\xA1sit "
	    "prohl\xC3\xAD\xC5\xBE"
	    "e\xC4\x8Di \xD0\xBE\xD1\x82\xD0\xBF\xD0\xB8\xD1\x81"
	    "\xD0\xB0\xD1\x82\xD1\x8C\xD1\x81\xD1\x8F "
	    "\xD0\xB1\xD1\x80\xD0\xB0\xD1\x83\xD0\xB7\xD0\xB5"
	    "\xD1\x80\xD0\xB5 b\xC3\xBCltenimiz tarayc\xC4\xB1" },
};

const size_t diverge_table_n = sizeof(diverge_table) / sizeof(diverge_table[0]);
