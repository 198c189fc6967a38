"""Tokens that are known by their form, whatever stands before them. One pattern for each kind of beginning.

A token without a beginning of its own (a Slack signing secret, an old NGC key) is found by the name that
stands before it, in `secrets`. Group `s` is what is taken out; without it the whole match is.
"""

from __future__ import annotations

TOKENS = (
    # models and what runs them; `hf_hub_download` is no token
    r"\bhf_(?:oauth|jwt)_[\w.-]{18,}|\bhf_[A-Za-z0-9]{20,}\b|\bapi_org_[A-Za-z0-9]{20,}",
    r"\bsk-(?:proj|svcacct|service|admin|ant|or|lf|None)-[\w-]{16,}",
    r"\b(?:sk|pk|rk)-(?:[A-Za-z0-9]+-){0,4}[A-Za-z0-9_]{16,}(?:-[A-Za-z0-9_]+)*",
    r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}\b|\bsess-[A-Za-z0-9]{30,}",
    r"\bgsk_[A-Za-z0-9]{40,}\b|\bxai-[A-Za-z0-9]{40,}|\bpplx-[A-Za-z0-9]{30,}|\btgp_v1_[\w-]{30,}",
    r"\bnvapi-[\w-]{20,}|\bwandb_v\d_\w{20,}|\blocal-[0-9a-f]{40}\b|\bKGAT_[A-Za-z0-9]{20,}|\brpa_[A-Z0-9]{30,}",
    r"\br8_[A-Za-z0-9]{30,}\b|\bfw_[A-Za-z0-9]{22,}\b|\bdapi[0-9a-f]{32}(?:-\d)?\b",
    # code and packages
    r"\bgh[pousr]_[A-Za-z0-9][\w.-]{28,}|\bgithub_pat_[A-Za-z0-9_]{30,}",
    r"\bgl(?:pat|oas|rt|rtr|dt|ft|fft|cbt|ptt|imt|agent|wt|soat|ffct)-[\w.-]{18,}|\bGR1348941[\w-]{20}",
    r"\bnpm_[A-Za-z0-9]{30,}\b|\bpypi-[\w-]{40,}|\bdckr_[po]at_[\w-]{20,}|\bATATT3[\w=-]{20,}",
    # clouds and services
    r"\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b|\bABSK[A-Za-z0-9+/]{60,}={0,2}",
    r"\bLTAI[A-Za-z0-9]{12,20}\b|\bAKID[A-Za-z0-9]{32}\b",
    r"\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\b1//0[\w-]{20,}|\bAQ\.[A-Z][\w-]{30,}|\bGOCSPX-[\w-]{20,}",
    r"\b[\w.~-]{3}[78]Q~[\w.~-]{31,34}|\b[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}",  # Entra ID, Azure OpenAI
    r"\bhv[sbr]\.[\w-]{20,}|\bAGE-SECRET-KEY-1[A-Z0-9]{40,}|\btskey-[a-z]+-[\w-]{16,}|\bglsa_\w{30,}",
    r"\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_[a-f0-9]{32,}|\bglc_[A-Za-z0-9+/=]{20,}|\blin_api_\w{30,}",
    # chats
    r"\bxox[a-z]-[A-Za-z0-9%+/.-]{10,}|\bxoxe\.xox[bp]-[\w-]{10,}|\bx(?:app|wfp)-[A-Za-z0-9-]{10,}",
    r"https://hooks\.slack\.com/(?P<s>(?:services|workflows|triggers)/[\w/-]{10,})",
    r"https://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(?P<s>\d+/[\w-]{20,})",
    r"\b[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,}",  # Discord bot
    r"/bot(?P<s>\d{6,12}:[\w-]{30,})",  # Telegram
    # JSON web tokens, signed (three parts) and encrypted (five), and other JSON in base64
    r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{0,4096}\.[\w-]{0,4096}(?:\.[\w-]{1,4096}){0,2}|(?<![\w-])eyJ[\w+/-]{40,}={0,2}",
)
